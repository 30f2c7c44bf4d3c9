public import Backlot
import Synchronization

/// Commands to a backend of mocks while it runs, at `/__admin`, with WireMock's paths, bodies and statuses, so that its client
/// libraries work: `router.use(admin)`, before other middlewares.
///
/// The commands show requests and the stubs that answered them, list, add and remove stubs, show and set the states of
/// scenarios, look at data and set it, record other backends, and order faults and networks, which WireMock can't. Clients that
/// `access` doesn't admit get 404, and so do scripts of pages without a token.
///
/// Unlike WireMock it doesn't stop the server.
public struct MockAdmin: Middleware {
    /// The path of all commands.
    public static let path = "/__admin"
    /// The most bytes of a command.
    private static let bodyLimit = 10 * 1024 * 1024

    package let backend: MockBackend
    package let journal: Journal
    let faults: FaultBoard
    private(set) var access: LocalAccess
    let settings = MockSettings()
    /// The requests that aren't delayed with all others.
    package var isExempt: @Sendable (Request) -> Bool = { _ in false }
    /// Every command.
    let routes: [AdminRoute]
    private let tree: PathPatternTree<AdminRoute>
    private let roots: [String]

    /// Commands.
    ///
    /// - Parameters:
    ///   - backend: the backend whose stubs and scenarios they change.
    ///   - journal: the journal that is the backend's observer.
    ///   - faults: the board that keeps faults on demand.
    ///   - access: which clients may give commands.
    public init(_ backend: MockBackend, journal: Journal, faults: FaultBoard, access: LocalAccess) {
        self.backend = backend
        self.journal = journal
        self.faults = faults
        self.access = access
        routes = Self.routes(with: backend.recorder.map { type(of: $0).commands } ?? [])
        roots = backend.prefix.isEmpty ? [Self.path] : [Self.path, backend.prefix + Self.path]
        tree = routes.reduce(into: PathPatternTree()) { tree, route in tree.change(route.pattern) { $0.append(route) } }
        backend.administrators.withLock { $0.append(access) }
    }

    /// These commands for other clients, such as those of another port.
    public func admitting(_ access: LocalAccess) -> MockAdmin {
        var admin = self
        admin.access = access
        backend.administrators.withLock { $0.append(access) }
        return admin
    }

    /// Carries out a command, and hands on all else.
    ///
    /// - Throws: `StatusError` with 404 for clients that aren't admitted; what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        access.watch(request)
        guard let root = root(of: request) else {
            guard settings.isDelaying, backend.covers(request.path), !isExempt(request) else {
                return try next.respond(to: request)
            }
            let delay = settings.delay
            let milliseconds = backend.sources.draw { delay.milliseconds(using: &$0) }
            return .pending {
                try await Task.sleep(for: .milliseconds(milliseconds))
                return try await next(request)
            }
        }
        guard access.admitsCommand(request) else { throw StatusError.nothingResponds(at: request.path) }
        return try HandlerResult.pending {
            let body = takesBody(request, below: root) ? try await request.body.collect(upTo: Self.bodyLimit) : []
            let command = MockRequest(request, body: body, below: root)
            if Self.asksForTest(command), let test = await backend.recorder?.swiftTest(of: journal.entries.reversed()) {
                return test
            }
            // A command may compare many patterns with the whole journal.
            return try await Blocking.run { respond(to: command) }
        }
        .map { response in
            var response = response
            // It is for clients that are let in alone.
            response.headers[.cacheControl] = "no-store"
            return response
        }
    }

    /// The beginning of a command's path; nil for other requests. Below the mocks' own path, browsers send the mocks' cookies with a
    /// command.
    private func root(of request: Request) -> String? {
        roots.first { root in
            request.hasPath(beginningWith: root)
                && (request.path.utf8.count == root.utf8.count || request.path.hasPrefix("\(root)/"))
        }
    }

    /// Whether there is a command with the method and the path of a request that reads its body.
    private func takesBody(_ request: Request, below root: String) -> Bool {
        guard request.method != .get, request.method != .head else { return false }
        let command = MockRequest(request, body: [], below: root)
        return commands(for: command).contains { $0.method == request.method }
    }

    /// The commands that have a request's path, whatever their method; those with parameters come last.
    private func commands(for request: MockRequest) -> [AdminRoute] {
        var found: [AdminRoute] = []
        tree.forEach(at: request.pathSegments) { found += $0 }
        return found
    }

    /// Carries out a command.
    func respond(to request: MockRequest) -> Response {
        let method = request.method == .head ? .get : request.method
        var allowed: [String] = []
        for route in commands(for: request) {
            guard route.method == method else {
                // A parameter doesn't match the name of another command.
                if !route.pattern.hasParameters || allowed.isEmpty { allowed.append(route.method.rawValue) }
                continue
            }
            let parameters = PathParameters(route.pattern, in: request.pathSegments)
            do {
                var call = AdminCall(request: request, parameters: parameters)
                if !backend.configuration.sharesState {
                    call.ownScope = request.scope(by: backend.stateKey(of: .runTime))
                }
                return try route.response(self, call)
            } catch {
                return AdminError(error).response
            }
        }
        guard !allowed.isEmpty else { return unknown(request) }
        let methods = Set(allowed).sorted().joined(separator: ", ")
        let title = "\(request.method) is not answered here"
        var response = AdminError(.methodNotAllowed, title, "\(title); allowed: \(methods)").response
        response.headers[.allow] = methods
        return response
    }

    private func unknown(_ request: MockRequest) -> Response {
        let list = routes.map { "\($0.method) \(Self.path)\($0.path)" }.joined(separator: ", ")
        let what = "\(request.method) \(Self.path)\(request.path)"
        return AdminError(.notFound, "No such command", "there is no \(what); there are \(list)").response
    }

    /// The keys of bodies of commands.
    static let kinds = faultKinds + importKinds + [settingsKind, clockKind]

    /// Every command, with those of a recorder among those about requests and before those about the server.
    private static func routes(with commands: [AdminRoute]) -> [AdminRoute] {
        let ofRequests = commands.filter { $0.path.hasPrefix("/requests") }
        return [AdminRoute(.get, "/") { admin, _ in Response(json: ["commands": .array(admin.list)]) }]
            + requestRoutes + ofRequests + entryRoutes + nearMissRoutes + mappingRoutes + stateRoutes + clockRoutes
            + faultRoutes
            + networkRoutes + fileRoutes
            + commands.filter { !$0.path.hasPrefix("/requests") } + serverRoutes
    }

    private var list: [JSONValue] { routes.map { .string("\($0.method) \(Self.path)\($0.path)") } }
}

/// A command: its method and path, and what it does.
package struct AdminRoute: Sendable {
    let method: HTTPRequest.Method
    /// Below `/__admin`; a segment in braces stands for any.
    let path: String
    let response: @Sendable (MockAdmin, AdminCall) throws -> Response
    let pattern: PathPattern

    package init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ response: @escaping @Sendable (MockAdmin, AdminCall) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.response = response
        do throws(PathPattern.ParsingError) {
            pattern = try PathPattern(path, as: .mock)
        } catch {
            preconditionFailure("\(path): \(error.text)")
        }
    }

    /// A command that only does something. It responds with an empty object, because some clients parse every body.
    static func doing(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ work: @escaping @Sendable (MockAdmin, AdminCall) throws -> Void
    ) -> AdminRoute {
        AdminRoute(method, path) { admin, call in
            try work(admin, call)
            return .done
        }
    }

    /// A command for all paths below one.
    init(
        _ method: HTTPRequest.Method,
        below path: String,
        _ response: @escaping @Sendable (MockAdmin, AdminCall) throws -> Response
    ) {
        self.method = method
        self.path = "\(path)/{path}"
        self.response = response
        pattern = PathPattern([.literal(String(path.dropFirst())), .rest("path")])
    }
}

/// Settings for all responses, made by commands.
final class MockSettings: Sendable {
    /// When the server began to serve.
    let start = ContinuousClock.now
    private let state = Locked((delay: ResponseDelay.none, distribution: JSONValue?.none))
    private let isSet = Atomic(false)

    /// Whether responses are kept back.
    var isDelaying: Bool { isSet.load(ordering: .relaxed) }

    /// The delay of every response, added to that of its stub.
    var delay: ResponseDelay { state.withLock { $0.delay } }

    /// - Parameter distribution: the delay's distribution, as it was written.
    func set(_ delay: ResponseDelay, _ distribution: JSONValue?) {
        state.withLock { $0 = (delay, distribution) }
        isSet.store(delay != .none, ordering: .relaxed)
    }

    /// The settings as a command shows them.
    var json: JSONObject {
        state.withLock { state in
            var object: JSONObject = ["fixedDelay": JSONValue(state.delay.fixed)]
            if let distribution = state.distribution { object["delayDistribution"] = distribution }
            return object
        }
    }
}
