import Backlot
import BacklotJSON

/// The forms that were sent last in a session, each with its whole page, to check what comes back and to send it again.
struct SentForms: Codable, Sendable, Equatable {
    struct Sent: Codable, Sendable, Equatable {
        /// The ids of the forms on the page.
        let forms: [String]
        /// The page's packet, as JSON.
        let page: String
    }

    /// The pages, the last one sent at the end.
    private(set) var pages: [Sent] = []

    /// The page that a form was sent on; nil where it isn't known any more.
    func page(of form: String) -> JSONObject? {
        guard let sent = pages.last(where: { $0.forms.contains(form) }) else { return nil }
        return (try? JSONValue(parsing: sent.page))?.object
    }

    /// Keeps a page, and forgets the oldest where there are more than so many bytes.
    mutating func add(_ page: [UInt8], forms: [String], limit: Int) {
        pages.removeAll { !Set($0.forms).isDisjoint(with: forms) }
        pages.append(Sent(forms: forms, page: String(decoding: page, as: UTF8.self)))
        while pages.reduce(0, { $0 + $1.page.utf8.count }) > limit { pages.removeFirst() }
    }
}

/// Where they are kept in the session.
enum SentFormsKey: SessionKey {
    static let name = "xpedite.forms"
    typealias Value = SentForms
}
