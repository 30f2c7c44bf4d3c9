import Backlot
import Logging
import Synchronization

/// Responds to requests for one page.
///
/// A class: a struct would be copied for each request.
final class PageHandler: Handler {
    /// A function that makes the page.
    enum Maker: Sendable {
        case immediate(@Sendable (Request) throws -> any Page)
        case withSession(@Sendable (Request, Session) throws -> any Page)
        /// Makes the page at once when a client loads it, and after the variables have arrived when it refreshes it.
        case refreshed(
            load: @Sendable (Request) throws -> any Page,
            refresh: @Sendable (Request) async throws -> any Page
        )
        case suspending(@Sendable (Request) async throws -> any Page)
    }

    /// The next client may get another page, so caches between the app and the client mustn't keep it.
    private static let headers: HTTPFields = [
        .contentType: "application/vnd.applin_response",
        .cacheControl: "no-store",
        .vary: "Accept, Cookie",
    ]

    /// The form of pages for clients of unknown version.
    private let variant: Int
    private let choice: ClientChoice?
    private let headers: CommonFields
    private let basePath: String
    private let lookup: RouteLookup
    private let inspector: ApplinInspector
    private let validator: ResponseValidator
    private let maker: Maker
    private let room = PageSize()

    init(_ app: ApplinApp, isExempt: Bool, _ maker: Maker) {
        variant = app.dialect.variant(for: app.clients?.lowerBound)
        choice = app.choice
        var headers = Self.headers
        if let choice { headers[.vary] = "Accept, Cookie, \(choice.name)" }
        self.headers = CommonFields(headers)
        basePath = app.appPath
        lookup = app.lookup
        inspector = app.inspector
        let logger = Logger(label: "backlot.applin")
        validator = ResponseValidator(isExempt ? .off : app.validation, of: "page", logger: logger)
        self.maker = maker
    }

    func respond(to request: Request) throws -> HandlerResult {
        guard let choice else { return try respond(to: request, nil) }
        var request = request
        let client = choice.client(of: request)
        request.requestingClient = client
        return try respond(to: request, client)
    }

    private func respond(to request: Request, _ client: RequestingClient?) throws -> HandlerResult {
        switch maker {
        case .immediate(let make):
            return .ready(try response(to: request, client) { try make(request) })
        case .withSession(let make):
            switch try request.readySession {
            case .ready(let session): return .ready(try response(to: request, client) { try make(request, session) })
            case .pending(let work): return pending(request, client) { try make($0, await work()) }
            }
        case .refreshed(let load, let refresh):
            if request.method == .post {
                return pending(request, client) { $0.method == .post ? try await refresh($0) : try load($0) }
            }
            return .ready(try response(to: request, client) { try load(request) })
        case .suspending(let make):
            return pending(request, client, make)
        }
    }

    private func pending(
        _ request: Request,
        _ client: RequestingClient?,
        _ make: @escaping @Sendable (Request) async throws -> any Page
    ) -> HandlerResult {
        .pending {
            let page = await Result { try await Self.page(request, make) }
            return try self.response(to: request, client) { try page.get() }
        }
    }

    /// Makes a page. A client may refresh a page of an earlier version of the app, with other variables. If a handler needs a missing
    /// one, the page is made as for a client that loads it.
    private static func page(
        _ request: Request,
        _ make: @Sendable (Request) async throws -> any Page
    ) async throws -> any Page {
        guard request.method == .post else { return try await make(request) }
        var request = request
        request.refreshesPage = true
        do {
            return try await make(request)
        } catch is VariableError {
            request.method = .get
            return try await make(request)
        }
    }

    private func response(
        to request: Request,
        _ client: RequestingClient?,
        _ make: () throws -> any Page
    ) throws -> Response {
        do {
            return response(with: try make(), to: request, client)
        } catch {
            throw error.shown(to: request)
        }
    }

    private func response(with page: any Page, to request: Request, _ client: RequestingClient?) -> Response {
        let variant = client.map { $0.dialect.variant(for: $0.version) } ?? variant
        let body = page.responseBody(variant: variant, capacity: room.bytes.load(ordering: .relaxed))
        room.note(body.count)
        // Clients of other versions may get another page.
        let shape = client == nil ? nil : body
        let refusal = validator.refusal(of: request, response: shape, by: judge(of: body, at: request.path, client))
        if let refusal { return .text(refusal, status: .internalServerError) }
        return Response(common: headers, body: .bytes(body))
    }

    private func judge(
        of body: [UInt8],
        at path: String,
        _ client: RequestingClient?
    ) -> @Sendable () -> [Finding] {
        let (basePath, inspector, lookup) = (basePath, inspector, lookup)
        return {
            let path = "/" + path.dropFirst(basePath.count)
            let judge =
                client.map { ApplinInspector(readBy: $0.version...$0.version, words: inspector.words) } ?? inspector
            return judge.findings(inBody: body, path: path, app: lookup)
        }
    }
}

/// The number of bytes that a page takes, from its last responses. A page that outgrows its buffer is copied; a long one several
/// times, for a tenth of its cost.
private final class PageSize: Sendable {
    let bytes = Atomic(960)

    /// Notes the size of a page in bytes. It writes rarely, since all loops read it.
    func note(_ count: Int) {
        let room = bytes.load(ordering: .relaxed)
        if count > room || count < room / 4 { bytes.store(max(960, count + count / 4), ordering: .relaxed) }
    }
}
