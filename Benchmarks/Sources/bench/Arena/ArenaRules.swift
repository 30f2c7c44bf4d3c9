import Foundation

/// What answers must be like, as HttpArena's and TechEmpower's verifications say.
enum ArenaRules {
    /// Plain text, and nothing else.
    static func requireText(_ expected: String, _ response: Response) throws {
        try requireStatus(200, response)
        let type = response.fields["content-type"] ?? "none"
        guard type == "text/plain" || type.lowercased().replacing(" ", with: "") == "text/plain;charset=utf-8" else {
            throw CheckFailure("the Content-Type is \(type), not text/plain")
        }
        guard response.body == Array(expected.utf8) else {
            throw CheckFailure("the body is \"\(String(decoding: response.body, as: UTF8.self))\", not \"\(expected)\"")
        }
    }

    static func requireStatus(_ status: Int, _ response: Response) throws {
        guard response.status == status else { throw CheckFailure("the status is \(response.status), not \(status)") }
    }

    /// The fields that TechEmpower wants in each answer, with a date in the form of RFC 9110.
    static func requireFields(_ response: Response) throws {
        for name in ["server", "date", "content-type"] where (response.fields[name] ?? "").isEmpty {
            throw CheckFailure("the answer has no \(name)")
        }
        guard response.fields["content-length"] != nil || response.fields["transfer-encoding"] != nil else {
            throw CheckFailure("the answer says nothing of its length")
        }
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(identifier: "GMT")
        form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = form.date(from: response.fields["date"] ?? ""), abs(date.timeIntervalSinceNow) < 60 else {
            throw CheckFailure("the Date is \(response.fields["date"] ?? "missing"), which isn't the time")
        }
    }

    /// The object of TechEmpower's JSON test: one message.
    static func requireMessage(_ response: Response) throws {
        try requireJSON(response)
        guard try JSONDecoder().decode([String: String].self, from: Data(response.body)) == ["message": "Hello, World!"]
        else {
            throw CheckFailure("the object is \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    private struct Items: Decodable {
        var items: [ArenaFolder.Item]
        var count: Int
    }

    /// The first items of the folder's, each with its total.
    static func requireItems(_ count: Int, times multiplier: Int, _ body: [UInt8]) throws {
        let given = try JSONDecoder().decode(Items.self, from: Data(body))
        guard given.count == count else { throw CheckFailure("the count is \(given.count), not \(count)") }
        let expected = ArenaFolder.items.prefix(count).map { item in
            var item = item
            item.total = item.price * item.quantity * multiplier
            return item
        }
        guard given.items == expected else {
            throw CheckFailure("the \(count) items aren't those of the data, × \(multiplier)")
        }
    }

    static func requireJSON(_ response: Response) throws {
        try requireStatus(200, response)
        let type = response.fields["content-type"] ?? "none"
        guard type.split(separator: ";").first == "application/json" else {
            throw CheckFailure("the Content-Type is \(type), not application/json")
        }
    }
}
