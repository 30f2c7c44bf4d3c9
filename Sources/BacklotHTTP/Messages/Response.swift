public import HTTPTypes

/// An answer to a request.
///
/// The server writes `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` itself; such fields in `headers`
/// are left out, but for `Connection: close`, which closes the connection after the answer.
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
    /// The header fields, where they are another server's and nobody has changed them: as bytes, since most of them only go on.
    var passed: FieldList? { rare.value?.passed }
    /// What `made` is, where it is that of many answers and nobody has changed it.
    ///
    /// Not written `CommonFields?`: that would be set to nil first, and each answer copied once more while it is made.
    private(set) var common: Optional<CommonFields>
    /// The body. It is not sent in answer to HEAD, nor with statuses that have none (1xx, 204, 304).
    public var body: ResponseBody
    private var rare: RareProperties<Rare>

    /// What few answers have.
    private struct Rare {
        var passed: FieldList?
        /// Whether a `Date` in `headers` is sent instead of the server's own: the answer is another server's.
        var keepsDate = false
        var pace: (any ResponsePace)?
    }

    /// Decides when the bytes go out; nil for as soon as they can.
    package var pace: (any ResponsePace)? {
        get { rare.value?.pace }
        set {
            if rare.value == nil, newValue != nil { rare.value = Rare() }
            rare.value?.pace = newValue
        }
    }

    /// An answer; empty and 200 unless said otherwise.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: ResponseBody = .empty) {
        self.status = status
        made = headers
        common = nil
        self.body = body
        rare = RareProperties()
    }

    /// An answer with fields that many others have as well.
    package init(status: HTTPResponse.Status = .ok, common: CommonFields, body: ResponseBody) {
        self.status = status
        made = common.fields
        self.common = common
        self.body = body
        rare = RareProperties()
    }

    /// An answer of plain text, in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, common: plainText, body: .bytes(Array(text.utf8)))
    }

    /// Another server's answer, its body left out.
    init(status: HTTPResponse.Status, passing fields: FieldList) {
        self.init(status: status)
        rare.value = Rare(passed: fields, keepsDate: true)
    }

    /// Whether a `Date` in `headers` is sent, and not the server's own.
    var bringsDate: Bool {
        guard let rare = rare.value, rare.keepsDate else { return false }
        return rare.passed?.contains("date") ?? made.contains(.date)
    }

    /// Whether sending it takes a task: its body is written while it is sent, or it goes out at a pace.
    var takesTime: Bool {
        if case .stream = body { return true }
        return pace != nil
    }

    /// Whether the handler wants the connection closed after the answer.
    var closesConnection: Bool {
        if common != nil { return false }
        if let passed { return passed["connection"]?.lowercased().contains("close") ?? false }
        return made.contains {
            $0.name.canonicalName.utf8.count == 10 && $0.name == .connection && $0.value.lowercased().contains("close")
        }
    }

    private static let plainText = CommonFields([.contentType: "text/plain; charset=utf-8"])
}

/// The body of an answer.
public enum ResponseBody: Sendable {
    /// No bytes.
    case empty
    /// Bytes that are all there.
    case bytes([UInt8])
    /// Bytes of an open file, which stays open until they are sent. When the file becomes shorter meanwhile, the
    /// connection is cut, so that the client can tell.
    case file(FileSlice)
    /// Bytes that a function writes while they are sent. It isn't called where no body may be sent, as for HEAD.
    ///
    /// With a length, exactly so many bytes must be written. Without one the body is sent in chunks, or to a client of
    /// HTTP/1.0 until the connection closes. When the function throws, the connection is cut, so that the client can
    /// tell.
    ///
    /// The function's task is cancelled when the client goes. That the server stops, it sees by
    /// swift-service-lifecycle's own calls: `try await cancelWhenGracefulShutdown { … }`,
    /// `Task.isShuttingDownGracefully`.
    case stream(length: Int? = nil, @Sendable (BodyWriter) async throws -> Void)
    /// None, and no answer: the connection breaks (see `Response.fault`), also where no body may be sent.
    case fault(ConnectionFault)
}

extension ResponseBody {
    /// How long the body is, in bytes, where that is known.
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
    /// An answer that sends the client somewhere else (RFC 9110, section 15.4).
    ///
    /// - Parameters:
    ///   - location: where to, as a URL reference: a path or a whole URL, percent-encoded.
    ///   - status: 302 unless said otherwise; 303 makes a GET of a POST, 307 and 308 keep the method.
    /// - Throws: `HeaderError` when the location has a byte that no header field can carry.
    public static func redirect(
        to location: String,
        status: HTTPResponse.Status = .found
    ) throws(HeaderError) -> Response {
        var response = Response(status: status)
        try response.headers.set(.location, to: location)
        return response
    }
}

/// Properties that few values of a type have set: in memory of their own, so that the others are small, and cheap to copy.
struct RareProperties<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage?

    /// The properties; nil while none has been set.
    var value: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
