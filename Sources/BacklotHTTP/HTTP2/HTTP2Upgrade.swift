internal import HTTPTypes

/// What a request of HTTP/1.1 says that asks for HTTP/2 (RFC 7540, section 3.2).
struct HTTP2Upgrade: Equatable {
    /// The answer before the first frame.
    static let answer: StaticString = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

    /// The payload of the client's SETTINGS frame.
    let settings: [UInt8]

    /// nil when the request doesn't ask for HTTP/2, or not as it should, or has a body: it is answered over HTTP/1.1 then.
    init?(_ head: RequestHead) {
        guard head.framing == .none, !head.line.isHTTP10 else { return nil }
        let headers = RequestHeaders(head: head)
        guard let name = HTTPField.Name("HTTP2-Settings"), Self.list(headers[.upgrade]).contains("h2c") else {
            return nil
        }
        let options = Self.list(headers[.connection])
        let values = headers[values: name]
        guard options.contains("upgrade"), options.contains("http2-settings"), values.count == 1,
            let settings = Base64URL.decode(values[0])
        else { return nil }
        self.settings = settings
    }

    private static func list(_ value: String?) -> [String] {
        (value ?? "").split(separator: ",").map { element in
            let trimmed = element.drop { $0 == " " || $0 == "\t" }
            return String(trimmed.prefix { $0 != " " && $0 != "\t" }).lowercased()
        }
    }
}
