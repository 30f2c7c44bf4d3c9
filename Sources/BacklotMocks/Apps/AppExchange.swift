import Backlot

/// A request that an app of files responds to, and the client with the states and the data of its files.
final class AppExchange: Sendable {
    @TaskLocal static var current: AppExchange?

    /// The exchange of the current task.
    static var required: AppExchange {
        get throws(StatusError) {
            guard let current else {
                throw StatusError(.internalServerError, "the files of an app respond only to requests to their mocks")
            }
            return current
        }
    }

    let backend: MockBackend
    let request: MockRequest
    private let original: Request
    private let client: Locked<(scope: ScenarioStates.Scope, cookie: AnonymousCookie?)>

    init(_ backend: MockBackend, _ original: Request, _ request: MockRequest, _ scope: ScenarioStates.Scope) {
        (self.backend, self.original, self.request) = (backend, original, request)
        client = Locked((scope, nil))
    }

    var scope: ScenarioStates.Scope { client.withLock { $0.scope } }

    /// Lets the app respond.
    func response(by app: any Handler) async throws -> Response {
        var request = original
        request.body = RequestBody(self.request.body)
        var response: Response
        do {
            response = try await Self.$current.withValue(self) { [request] in try await app(request) }
        } catch let error as any HTTPError {
            response = Response(error)
        }
        guard let cookie = client.withLock({ $0.cookie }) else { return response }
        cookie.add(to: &response)
        backend.lostCookieLog.gotCookie(self.request)
        return response
    }

    /// A session for a client without one, if a reaction may change its states or data; nil for others.
    func newSession(for entry: StubEntry) -> (scope: ScenarioStates.Scope, cookie: AnonymousCookie)? {
        backend.newSession(for: original, request, entry, in: scope)
    }

    /// Gives the client a session.
    func begin(_ session: (scope: ScenarioStates.Scope, cookie: AnonymousCookie)) {
        client.withLock { $0 = (session.scope, session.cookie) }
    }

    /// The values of tags for a call of the app.
    func context(_ call: AppCall) -> TemplateContext {
        TemplateContext(
            request: MockRequest(call.request, body: JSONValue.object(call.variables).bytes, below: backend.prefix),
            pathParameters: .none,
            user: call.user,
            sources: backend.sources,
            data: DataView(buckets: backend.data, scope: scope)
        )
    }
}
