import Testing

/// What one client sends on one connection, and what must come back.
struct WireCase: Sendable, CustomTestStringConvertible {
    /// What the case is about.
    let title: String
    let wire: [UInt8]
    /// For each answer the text of the handler's, which says what it saw, or the status of a refusal, which is the last.
    let responses: [String]

    var testDescription: String { title }

    /// - Parameter wire: characters up to U+00FF, one for each byte.
    init(_ title: String, _ wire: String, _ responses: String...) {
        self.title = title
        self.wire = bytes(wire)
        self.responses = responses
    }

    /// Whether the server must refuse something, and close.
    var isRefused: Bool { responses.last.map { Int($0) != nil } ?? false }

    /// What the handler of these tests answers, for a request without a body.
    static func saw(_ line: String) -> String { "\(line) []" }

    /// What it answers for a request with one.
    static func saw(_ line: String, _ body: String) -> String { "\(line) [\(body)]" }
}

extension WireCase {
    /// Every case.
    static let all =
        methods + targets + hosts + fieldLines + lineEnds + controls + contentLengths + transferEncodings + chunks
        + chunkExtensions + trailers + expectations + bodies + persistence + limits

    /// A head that is refused with 400, and a request after it that must not be read.
    static func bad(_ title: String, _ head: String) -> WireCase {
        WireCase(title, head + "\r\n\r\n" + next, "400")
    }

    /// `POST /` with a Host and these field lines, and what follows the head.
    static func post(_ fields: String..., version: String = "1.1", then body: String = "") -> String {
        "POST / HTTP/\(version)\r\nHost: h\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    /// `POST /` with a chunked body.
    static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", then: body) }

    /// A request that is fine, to follow another one.
    static let next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"
}
