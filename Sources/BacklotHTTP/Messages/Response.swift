public import HTTPTypes

/// A response to a request.
///
/// The server itself writes `Date`, `Content-Length`, `Transfer-Encoding` and `Connection`. Such fields in `headers` are left
/// out, except `Connection: close`, which closes the connection after the response.
///
/// ```swift
/// router.get("/logo.svg") { _ in Response(headers: [.contentType: "image/svg+xml"], body: .bytes(Array("<svg/>".utf8))) }
/// router.post("/clear") { _ in Response(status: .noContent) }
/// ```
public struct Response: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields {
        get { passed.map { HTTPFields($0) } ?? made }
        _modify {
            if let passed {
                made = HTTPFields(passed)
                rare.value?.passed = nil
            }
            common = nil
            yield &made
        }
    }
    private var made: HTTPFields
    /// Another server's header fields, kept as bytes until they are changed, because most are only passed on.
    var passed: FieldList? { rare.value?.passed }
    /// The shared fields that `made` was created from; nil after a change.
    ///
    /// Not written `CommonFields?`: Swift would set that to nil first, and so copy each response once more.
    private(set) var common: Optional<CommonFields>
    /// The body. It is not sent in response to HEAD, nor with statuses without a body (1xx, 204, 304).
    public var body: ResponseBody
    private var rare: RareProperties<Rare>

    /// Properties that few responses have.
    private struct Rare {
        var passed: FieldList?
        /// Whether a `Date` in `headers` replaces the server's, because the response is another server's.
        var keepsDate = false
        var pace: (any ResponsePace)?
        var unmodified: Response?
    }

    /// Decides when the bytes are sent; nil for as soon as possible.
    package var pace: (any ResponsePace)? {
        get { rare.value?.pace }
        set {
            if rare.value == nil, newValue != nil { rare.value = Rare() }
            rare.value?.pace = newValue
        }
    }

    /// The response that a 304 stands for; nil if the handler has made the 304 itself.
    package var unmodified: Response? { rare.value?.unmodified }

    /// A 304 that stands for another response.
    package init(notModified whole: Response, headers: HTTPFields) {
        self.init(status: .notModified, headers: headers)
        rare.value = Rare(unmodified: whole)
    }

    /// Creates a response. By default, it is empty and has status 200.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: ResponseBody = .empty) {
        self.status = status
        made = headers
        common = nil
        self.body = body
        rare = RareProperties()
    }

    /// Creates a response with fields that many others share.
    package init(status: HTTPResponse.Status = .ok, common: CommonFields, body: ResponseBody) {
        self.status = status
        made = common.fields
        self.common = common
        self.body = body
        rare = RareProperties()
    }

    /// A response with plain text, in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, common: plainText, body: .bytes(Array(text.utf8)))
    }

    /// Another server's response, without its body.
    init(status: HTTPResponse.Status, passing fields: FieldList) {
        self.init(status: status)
        rare.value = Rare(passed: fields, keepsDate: true)
    }

    /// Whether a `Date` in `headers` is sent instead of the server's.
    var bringsDate: Bool {
        guard let rare = rare.value, rare.keepsDate else { return false }
        return rare.passed?.contains("date") ?? made.contains(.date)
    }

    /// Whether sending it needs a task: its body is written while it is sent, or the sending is paced.
    var takesTime: Bool {
        if case .stream = body { return true }
        return pace != nil
    }

    /// Whether the handler wants the connection closed after the response.
    var closesConnection: Bool {
        if common != nil { return false }
        if let passed { return passed["connection"]?.lowercased().contains("close") ?? false }
        return made.contains {
            $0.name.canonicalName.utf8.count == 10 && $0.name == .connection && $0.value.lowercased().contains("close")
        }
    }

    private static let plainText = CommonFields([.contentType: "text/plain; charset=utf-8"])
}

/// The body of a response.
public enum ResponseBody: Sendable {
    /// No bytes.
    case empty
    /// Bytes that are complete.
    case bytes([UInt8])
    /// Bytes of an open file, which stays open until they are sent. If the file becomes shorter before that, the connection is
    /// cut, so that the client can tell.
    case file(FileSlice)
    /// Bytes that a function writes while they are sent. The function isn't called if no body may be sent, as for HEAD.
    ///
    /// With a length, exactly that number of bytes must be written. Without one, the body is sent in chunks, or to a client of
    /// HTTP/1.0 until the connection closes. If the function throws, the connection is cut, so that the client can tell.
    ///
    /// The function's task is cancelled when the client goes away. The function can find out through swift-service-lifecycle that
    /// the server stops: `try await cancelWhenGracefulShutdown { … }`, `Task.isShuttingDownGracefully`.
    case stream(length: Int? = nil, @Sendable (BodyWriter) async throws -> Void)
    /// Breaks the connection instead of responding (see `Response.fault`), even if no body may be sent.
    case fault(ConnectionFault)
}

extension ResponseBody {
    /// The length of the body in bytes; nil if unknown.
    public var length: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let slice): slice.count
        case .stream(let length, _): length
        case .fault: nil
        }
    }
}

extension Response {
    /// A response that redirects the client (RFC 9110, section 15.4).
    ///
    /// - Parameters:
    ///   - location: the target as a URL reference: a path or a whole URL, percent-encoded.
    ///   - status: 302 by default; 303 turns a POST into a GET, 307 and 308 keep the method.
    /// - Throws: `HeaderError` when the location has a byte that header fields can't carry.
    public static func redirect(
        to location: String,
        status: HTTPResponse.Status = .found
    ) throws(HeaderError) -> Response {
        var response = Response(status: status)
        try response.headers.set(.location, to: location)
        return response
    }
}

/// Properties that only few values of a type have. They use separate memory, so that the other values are small and cheap to
/// copy.
struct RareProperties<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage?

    /// The properties; nil until one is set.
    var value: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
