import Backlot

/// A body that responds to requests, with a tag that tells clients and caches whether it has changed.
final class FlokiResponse: Sendable {
    /// The content types of responses.
    enum Content: String, Sendable {
        case json = "application/json"
        case html = "text/html; charset=utf-8"
    }

    let bytes: [UInt8]
    private let validators: Validators
    private let response: Response

    /// - Parameter address: the app's address, which the URLs in the bytes contain. If it comes from the request, shared caches
    ///   mustn't store the response, since it isn't part of their key (RFC 9111, section 5.2.2.7).
    init(_ content: Content, _ bytes: [UInt8], _ address: AppAddress) {
        self.bytes = bytes
        validators = Validators(eTag: ETag(String(ContentHash.text(of: bytes).prefix(32))))
        // Requests without the code of a language get the one that they accept.
        var headers: HTTPFields = [
            .contentType: content.rawValue, .vary: "Accept-Language", .eTag: validators.eTag?.description ?? "",
        ]
        if address == .ofRequest { headers[.cacheControl] = "private" }
        response = Response(headers: headers, body: .bytes(bytes))
    }

    /// The response to a request: 304 when the client has these bytes.
    func response(to request: Request) -> Response {
        request.outcome(with: validators) == .met ? response : response.validated(by: validators, for: request)
    }
}

/// The version indicator and the app data, made once for each address.
final class AppDocuments: Sendable {
    /// The maximum number of addresses to keep: strangers can write any address into a request.
    private static let maximumAddresses = 16

    struct Pair {
        let indicator: FlokiResponse
        let data: FlokiResponse
    }

    private let template: JSONTemplate
    private let version: Int
    private let configuration: FlokiConfiguration
    private let mount: String
    private let made = Locked<[String: Pair]>([:])

    init(_ template: JSONTemplate, version: Int, configuration: FlokiConfiguration, mount: String) {
        self.template = template
        self.version = version
        self.configuration = configuration
        self.mount = mount
    }

    /// Both documents for a request.
    func pair(for request: Request) throws -> Pair {
        let base = try configuration.address.base(for: request, mount: mount)
        if let pair = made.withLock({ $0[base] }) { return pair }
        let url = "\(base)/\(configuration.dataPath)"
        let pair = Pair(
            indicator: FlokiResponse(
                .json,
                VersionIndicator(version: version, url: url, ttl: configuration.ttl.wholeSeconds).bytes,
                configuration.address
            ),
            data: FlokiResponse(.json, template.rendered(for: TemplateValues(base: base)), configuration.address)
        )
        made.withLock { made in
            if made.count < Self.maximumAddresses { made[base] = pair }
        }
        return pair
    }
}

/// Responds to clients that append parameters to a document's path without a question mark (`/v1-app&d=1`).
struct AppendedParametersHandler: Handler {
    /// The documents by the last segments of their paths.
    let documents: [String: LiveHandler]

    func respond(to request: Request) throws -> HandlerResult {
        let segment = request.parameters["document"] ?? ""
        let (name, _) = QueryParameters.split(segment, request)
        guard name != segment, let handler = documents[name] else {
            throw StatusError.nothingResponds(at: request.path)
        }
        return try handler.respond(to: request)
    }
}
