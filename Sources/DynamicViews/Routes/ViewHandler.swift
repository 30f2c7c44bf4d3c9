import Backlot
import Logging

/// Responds with a view's document and an entity tag: clients that have the document get a 304.
struct ViewHandler: Handler {
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-cache"]
        headers[.vary] = DialectChoice.field?.rawName
        return headers
    }()

    let maker: DocumentMaker
    let choice: DialectChoice
    let judge: ViewInspector

    func respond(to request: Request) -> HandlerResult { .pending { try await response(to: request) } }

    private func response(to request: Request) async throws -> Response {
        var request = request
        request.dialect = try choice.dialect(for: request)
        let response = try await document(for: request)
        guard let tag = response.headers[.eTag].flatMap({ ETag(parsing: $0) }) else { return response }
        return response.validated(by: Validators(eTag: tag), for: request)
    }

    /// The current document in the request's dialect, with its entity tag.
    func document(for request: Request) async throws -> Response {
        let body = try await maker.document(for: request).bytes(for: request.dialect)
        if let refusal = judge.judge(body, request.dialect, for: request) { return refusal }
        var response = Response(headers: Self.headers, body: .bytes(body))
        response.headers[.eTag] = ETag("\(request.dialect.platform.rawValue)-\(body.fingerprint)").description
        return response
    }
}

/// Inspects the documents of one view before clients get them.
struct ViewInspector {
    private let name: String
    private let catalogue: Catalogue
    /// One validator for each dialect, so that findings are logged once in each.
    private let validators: [Dialect: ResponseValidator]

    init(_ view: View, _ dialects: [Dialect], _ configuration: DynamicViewsConfiguration, logger: Logger) {
        name = "/\(view.name).json"
        catalogue = configuration.catalogue
        let validation = view.exemption == nil ? configuration.validation : .off
        validators = Dictionary(
            uniqueKeysWithValues: dialects.map { dialect in
                (dialect, ResponseValidator(validation, of: "document", logger: logger))
            }
        )
    }

    /// Inspects a document.
    ///
    /// - Returns: the response to send instead; nil if clients may get the document.
    func judge(_ body: [UInt8], _ dialect: Dialect, for request: Request) -> Response? {
        validators[dialect]?.refusal(of: request, by: judge(of: body, dialect))
            .map { .text($0, status: .internalServerError) }
    }

    private func judge(of body: [UInt8], _ dialect: Dialect) -> @Sendable () -> [Finding] {
        let inspector = DynamicViewsInspector(dialect: dialect, catalogue: catalogue)
        return { [name] in inspector.findings(inBody: body, path: name, app: nil) }
    }
}

extension [UInt8] {
    /// A text that two different documents hardly ever share: their length and a hash.
    fileprivate var fingerprint: String {
        "\(String(count, radix: 16))-\(String(FNV1a.hash(span), radix: 16))"
    }
}
