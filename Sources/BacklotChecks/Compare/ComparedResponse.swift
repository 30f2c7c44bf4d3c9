internal import Backlot
internal import BacklotClients

/// A deployment's response to a step.
struct ComparedResponse: Sendable, Equatable {
    /// The final response; nil if it didn't arrive.
    var response: ClientResponse?
    /// The target of the redirects, in the leading side's spelling; nil without redirects.
    var end: String?
    /// The reason why no response arrived.
    var failure: ClientError?
    /// The body as JSON, with the leading side's URLs; nil for other bodies.
    var document: JSONValue?

    init(_ result: Result<ClientExchange, ClientError>, from base: ServerBase, as leader: ServerBase, nesting: Int) {
        switch result {
        case .failure(let failure): self.init(failure)
        case .success(let exchange):
            let end = exchange.redirects.isEmpty ? nil : leader.url(of: exchange.url, at: base)
            self.init(exchange.response.withoutBytes, end: end, nesting: nesting)
        }
        if let document {
            self.document = base.isSame(as: leader) ? document : document.mapTexts { base.rewritten($0, as: leader) }
        } else if let text = response.flatMap({ String(validating: $0.body, as: UTF8.self) }) {
            response?.body = Array(base.rewritten(text, as: leader).utf8)
        }
    }

    init(_ response: ClientResponse, end: String?, nesting: Int) {
        self.response = response
        self.end = end
        document = response.isSum ? nil : response.document(nesting: nesting)
    }

    init(_ failure: ClientError) { self.failure = failure }

    /// The response in words, if it can't be the start page of an app; nil for other responses.
    var otherThanApp: String? {
        guard let response else { return nil }
        guard response.status.kind == .successful else { return "\(response.status)" }
        return document == nil && response.mediaType == "text/html" ? "a page for browsers, text/html" : nil
    }

    /// Whether both responses are equal, apart from the spelling of JSON.
    func isSame(as other: ComparedResponse) -> Bool {
        failure == nil && other.failure == nil && end == other.end && response?.status == other.response?.status
            && response?.mediaType == other.response?.mediaType
            && (response?.body == other.response?.body || document != nil && document == other.document)
    }
}

extension ClientResponse {
    private static let sumMark = Array("sha256:".utf8)

    /// Whether the body is only a hash sum.
    var isSum: Bool { body.starts(with: Self.sumMark) }

    /// The response with a hash sum in place of a body that isn't text, such as a picture's.
    fileprivate var withoutBytes: ClientResponse {
        guard mediaType?.hasPrefix("image/") == true || String(validating: body, as: UTF8.self) == nil else {
            return self
        }
        var response = self
        let sum = SHA256.hash(body).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        response.body = Self.sumMark + Array(sum.joined().utf8)
        return response
    }
}

/// The location of an app on a server: the common part of its URLs.
struct ServerBase: Sendable {
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

    /// The URL up to its last slash.
    var baseURL: String { origin + folder }

    func isSame(as other: ServerBase) -> Bool { baseURL == other.baseURL && folder == other.folder }

    /// The URL on this server that corresponds to a URL of another server's app.
    func url(of other: HTTPURL, at base: ServerBase) -> String {
        guard other.hasSameOrigin(as: base.url) else { return "\(other)" }
        if other == base.url { return "\(url)" }
        let target = other.target
        guard target.hasPrefix(base.folder) else { return origin + target }
        return baseURL + target.dropFirst(base.folder.count)
    }

    /// A path below the app's URL, in the spelling of its pages: `/terms`. For other servers, the whole URL.
    func path(of other: HTTPURL) -> String {
        guard other.hasSameOrigin(as: url), other.target.hasPrefix(folder) else { return "\(other)" }
        return "/" + other.target.dropFirst(folder.count)
    }

    /// A text of this app, with the URLs of another server's app.
    func rewritten(_ text: String, as other: ServerBase) -> String {
        guard !isSame(as: other), text.contains(origin) else { return text }
        return text.replacing(baseURL, with: other.baseURL).replacing(origin + "/", with: other.origin + "/")
    }
}
