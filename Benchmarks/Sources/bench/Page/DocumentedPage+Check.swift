import Foundation

extension DocumentedPage {
    /// Checks that `answer` is a 200 with the right Content-Type, on a connection that stays open, whose body means the
    /// same as the documented one: names in any order, slashes escaped or not.
    /// - Throws: ``CheckFailure`` that names the `server`.
    static func check(_ response: Response, from server: String) throws {
        guard response.status == 200 else {
            throw CheckFailure("\(server): GET \(path) gave status \(response.status)")
        }
        let type = response.fields["content-type"] ?? "none"
        guard type.split(separator: ";").first.map(String.init) == contentType else {
            throw CheckFailure("\(server): GET \(path) gave the Content-Type \(type), not \(contentType)")
        }
        guard response.keepsAlive else { throw CheckFailure("\(server): closes the connection after GET \(path)") }
        guard
            let given = try? JSONSerialization.jsonObject(with: Data(response.body)) as? NSDictionary,
            let expected = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? NSDictionary,
            given == expected
        else {
            let text = String(decoding: response.body, as: UTF8.self)
            throw CheckFailure("\(server): GET \(path) gave not the documented page but:\n\(text)\ninstead of\n\(body)")
        }
    }
}
