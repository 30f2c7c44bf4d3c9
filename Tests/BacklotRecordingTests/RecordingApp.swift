import Applin
import Backlot
import Logging
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Mocks that may be recorded, with their commands, in process.
struct RecordingApp {
    let backend: MockBackend
    let handler: any Handler

    init() {
        let journal = Journal()
        var configuration = MockConfiguration(formats: [.applin()])
        configuration.observer = journal
        configuration.allowRecording()
        backend = MockBackend(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let router = Router()
        let access = LocalAccess(host: "127.0.0.1")
        router.use(MockAdmin(backend, journal: journal, faults: FaultBoard(), access: access))
        router.mocks(backend)
        router.explainMismatches(of: backend)
        handler = router.handler()
    }

    /// Responds as a server does.
    func ask(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> Response {
        let request = try Request(method, target, headers: headers, body: Array(body.utf8))
        do {
            return try await handler(request)
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    /// The status, and the body as JSON; a text where it is none.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ body: JSONValue? = nil,
        headers: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONValue) {
        let response = try await ask(method, target, headers: headers, body: body?.description ?? "")
        return (response.status.code, (try? JSONValue(parsing: response.text)) ?? .string(response.text))
    }

    /// Adds a stub, and returns its id.
    @discardableResult
    func add(_ stub: JSONValue) async throws -> String {
        let response = try await call(.post, "/__admin/mappings", stub)
        #expect(response.status == 201)
        return try #require(response.json["id"]?.string)
    }
}

extension Response {
    /// The body as text.
    var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}

/// Calls `body` with mocks of some files.
func withMocks<Result>(
    _ files: [String: String],
    _ body: (_ mocks: RecordingApp, _ files: RouteFiles) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { folder in
        for (name, text) in files { try folder.write(text, to: name) }
        let app = RecordingApp()
        let routes = try RouteFiles(folder.path, backend: app.backend)
        try routes.load()
        return try await body(app, routes)
    }
}
