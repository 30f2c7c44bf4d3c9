/// An error for programs (RFC 9457): JSON behind a ``JSONErrors`` middleware, plain text elsewhere.
///
/// ```swift
/// throw ProblemDetails(.conflict, "Plot 7 has a gardener.", type: "https://garden.example/problems/taken")
/// ```
public struct ProblemDetails: HTTPError, Equatable {
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// The kind of problem: a URI that clients compare; nil for `about:blank`, if the status says enough.
    public var type: String?
    /// The kind of problem, for people; the same text for each occurrence.
    public var title: String
    /// This occurrence, for people; nil if the title says enough.
    public var detail: String?
    /// Further members, such as `balance`.
    public var members: JSONObject
    /// Further fields of the response.
    public var headers: HTTPFields

    /// Creates a problem.
    ///
    /// - Parameter title: by default, the status's reason phrase.
    public init(
        _ status: HTTPResponse.Status,
        _ detail: String? = nil,
        type: String? = nil,
        title: String? = nil,
        members: JSONObject = JSONObject(),
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.detail = detail
        self.type = type
        self.title = title ?? HTTPResponse.Status.standard(status.code).reasonPhrase
        self.members = members
        self.headers = headers
    }

    /// The problem details of an error. `errors` names each wrong value of a body by its pointer (RFC 9457, section 3.1.3).
    public init(_ error: any HTTPError) {
        if let details = error as? ProblemDetails {
            self = details
            return
        }
        self.init(error.status, error.reason, headers: error.headers)
        let wrong: [(pointer: String, detail: String)] =
            switch error {
            case let error as JSONBodyError: [(error.pointer, error.problem)]
            case let error as FormErrors:
                error.ordered.map { (JSONPointer.step($0.name), $0.message) }
            default: []
            }
        guard !wrong.isEmpty else { return }
        members["errors"] = .array(wrong.map { ["pointer": .string("#" + $0.pointer), "detail": .string($0.detail)] })
    }

    /// The detail, or else the title.
    public var reason: String { detail ?? title }

    /// The problem as JSON.
    package var json: JSONValue {
        var object = JSONObject()
        object["type"] = type.map { .string($0) }
        object["title"] = .string(title)
        object["status"] = .number(JSONNumber(Int64(status.code)))
        object["detail"] = detail.map { .string($0) }
        for member in members.members { object[member.key] = member.value }
        return .object(object)
    }

    /// The response, as `application/problem+json`.
    public var response: Response {
        var response = Response(json: json, status: status)
        response.headers.append(contentsOf: headers)
        response.headers[.contentType] = "application/problem+json"
        return response
    }
}

/// Sends errors as `application/problem+json` (RFC 9457), for groups of routes for programs:
/// `router.group("/api", JSONErrors()) { … }`. Put it first, so that the errors of other middleware are JSON too.
///
/// An unexpected error becomes a 500 without details; the log has the details.
///
/// ```swift
/// router.group("/api", JSONErrors()) { api in
///     api.get("/plots/{id}") { request in try await garden.plot(try request.parameter("id", as: Int.self)) }
/// }
/// ```
public struct JSONErrors: Middleware {
    /// Creates a middleware that sends each error as JSON.
    public init() {}

    /// Calls `next`, and converts its error to JSON.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        var request = request
        request.attributes[JSONErrorsAttribute.self] = true
        return try next.outcome(of: request).map { outcome in
            switch outcome {
            case .success(let response): return response
            case .failure(let error as any HTTPError): return ProblemDetails(error).response
            case .failure(let error):
                if error is CancellationError, Task.isCancelled { throw error }
                let details = ProblemDetails(.internalServerError, "the log of the server says why")
                throw UnexpectedError(error, response: details.response)
            }
        }
    }
}

/// Whether a `JSONErrors` sends the errors of a request.
private enum JSONErrorsAttribute: RequestAttribute {
    typealias Value = Bool
}

extension Request {
    /// The response to an error of this request, for middleware that makes a response of one: JSON behind a `JSONErrors`.
    func response(to error: any HTTPError) -> Response {
        attributes[JSONErrorsAttribute.self] == true ? ProblemDetails(error).response : Response(error)
    }
}
