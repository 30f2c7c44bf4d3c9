public import HTTPTypes

/// An answer to a request.
///
/// The server writes `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` itself; such fields in `headers`
/// are left out, but for `Connection: close`, which closes the connection after the answer.
public struct Response: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body. It is not sent in answer to HEAD, nor with statuses that have none (1xx, 204, 304).
    public var body: ResponseBody

    /// An answer; empty and 200 unless said otherwise.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: ResponseBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer of plain text, in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: plainText, body: .bytes(Array(text.utf8)))
    }

    /// Whether the handler wants the connection closed after the answer.
    var closesConnection: Bool {
        headers.contains {
            $0.name.canonicalName.utf8.count == 10 && $0.name == .connection && $0.value.lowercased().contains("close")
        }
    }

    private static let plainText: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
}
