internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

/// What a side has answered to a step.
struct DiffAnswer: Sendable, Equatable {
    /// The last answer; nil where none came.
    var response: ClientResponse?
    /// Where redirects led, as the leading side writes it; nil without redirects.
    var end: String?
    /// Why no answer came.
    var failure: ClientFailure?
    /// The body as JSON, with the URLs of the leading side; nil for other bodies.
    let document: JSONValue?

    init(_ result: Result<ClientExchange, ClientFailure>, from base: DiffBase, as leader: DiffBase, nesting: Int) {
        switch result {
        case .failure(let failure):
            self.failure = failure
            document = nil
        case .success(let exchange):
            response = exchange.response.withoutBytes
            end = exchange.redirects.isEmpty ? nil : leader.url(of: exchange.url, at: base)
            document = Self.document(exchange.response, nesting).map { base.rewritten($0, as: leader) }
            if document == nil, let text = response.flatMap({ String(validating: $0.body, as: UTF8.self) }) {
                response?.body = Array(base.rewritten(text, as: leader).utf8)
            }
        }
    }

    /// An answer from a file.
    init(response: ClientResponse?, end: String?, failure: ClientFailure?, nesting: Int) {
        self.response = response
        self.end = end
        self.failure = failure
        document = response.flatMap { Self.document($0, nesting) }
    }

    private static func document(_ response: ClientResponse, _ nesting: Int) -> JSONValue? {
        guard !response.body.isEmpty, response.mediaType?.hasPrefix("image/") != true else { return nil }
        return try? JSONValue(parsing: response.body, depthLimit: nesting)
    }

    /// How many bytes it keeps.
    var bytes: Int {
        (response.map { $0.body.count + $0.headers.bytes } ?? 0) + (end?.utf8.count ?? 0)
    }

    /// Whether it stands for the same, byte by byte.
    func isSame(as other: DiffAnswer) -> Bool {
        failure == nil && other.failure == nil && end == other.end && response?.status == other.response?.status
            && response?.mediaType == other.response?.mediaType
            && (response?.body == other.response?.body || document != nil && document == other.document)
    }
}

extension ClientRequest {
    /// How many bytes it keeps.
    var bytes: Int { "\(url)".utf8.count + headers.bytes + body.count }
}

extension HTTPFields {
    /// How many bytes they keep.
    fileprivate var bytes: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}

extension ClientResponse {
    private static let sumMark = Array("sha256:".utf8)

    /// The answer with no more cookies than are compared.
    var withFewCookies: ClientResponse {
        let cookies = headers[values: .setCookie]
        guard cookies.count > 50 else { return self }
        var response = self
        response.headers[values: .setCookie] = Array(cookies.prefix(50))
        return response
    }

    /// Whether a hash sum stands for the body.
    var isSum: Bool { body.starts(with: Self.sumMark) }

    /// The answer with a hash sum in place of a body that is no text, such as a picture's.
    fileprivate var withoutBytes: ClientResponse {
        guard mediaType?.hasPrefix("image/") == true || String(validating: body, as: UTF8.self) == nil else {
            return self
        }
        var response = self
        response.body =
            Self.sumMark
            + SHA256.hash(body).flatMap { byte in
                Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
            }
        return response
    }
}

/// Where an app is on a server: what its URLs have in common.
struct DiffBase: Sendable {
    /// The app's URL.
    let url: HTTPURL
    /// Scheme, host and port: `http://localhost:8080`.
    let origin: String
    /// The path up to its last slash: `/travel/`.
    let folder: String

    init(_ url: HTTPURL) {
        self.url = url
        origin = "\(url.scheme.rawValue)://\(url.authority)"
        folder = String(url.path[...(url.path.lastIndex(of: "/") ?? url.path.startIndex)])
    }

    /// The URL of another server's app, as it is here.
    func url(of other: HTTPURL, at base: DiffBase) -> String {
        guard other.hasSameOrigin(as: base.url) else { return "\(other)" }
        if other == base.url { return "\(url)" }
        let target = other.target
        guard target.hasPrefix(base.folder) else { return origin + target }
        return origin + folder + target.dropFirst(base.folder.count)
    }

    /// A text of this app, with the URLs of another server's app.
    func rewritten(_ text: String, as other: DiffBase) -> String {
        guard origin != other.origin || folder != other.folder, text.contains(origin) else { return text }
        return text.replacing(origin + folder, with: other.origin + other.folder)
            .replacing(origin + "/", with: other.origin + "/")
    }

    /// A document of this app, with the URLs of another server's app.
    func rewritten(_ value: JSONValue, as other: DiffBase) -> JSONValue {
        if origin == other.origin, folder == other.folder { return value }
        switch value {
        case .string(let text): return .string(rewritten(text, as: other))
        case .array(let elements): return .array(elements.map { rewritten($0, as: other) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result[member.key] = rewritten(member.value, as: other) }
            return .object(result)
        default: return value
        }
    }
}
