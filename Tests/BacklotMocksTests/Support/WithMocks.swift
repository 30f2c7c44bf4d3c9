import Applin
import Backlot
import Logging
import TestSupport
import Testing

@testable import BacklotMocks

/// Mocks that were read from a folder of a test's own.
struct Mocks {
    let folder: TemporaryFolder
    let backend: MockBackend
    let files: RouteFiles
    let handler: any Handler

    /// Answers a request as a server does.
    func ask(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> Response {
        try await handler.response(to: Request(method, target, headers: headers, body: Array(body.utf8)))
    }

    /// The status and the body.
    func text(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> String {
        let response = try await ask(method, target, headers: headers, body: body)
        return "\(response.status.code) \(response.text)"
    }

    /// Expects a status and a body.
    func expect(
        _ expected: String,
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await text(method, target, headers: headers, body: body)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    /// Expects a status and the beginning of a body.
    func expect(
        prefix: String,
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await text(method, target, headers: headers, body: body)
        #expect(found.hasPrefix(prefix), "\(found)", sourceLocation: sourceLocation)
    }

    /// Expects a status.
    func expect(
        _ status: HTTPResponse.Status,
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await ask(method, target).status
        #expect(found == status, "\(target)", sourceLocation: sourceLocation)
    }
}

extension Handler {
    /// Answers a request as a server does.
    func response(to request: Request) async throws -> Response {
        do {
            return try await self(request)
        } catch let error as any HTTPError {
            return Response(error)
        }
    }
}

extension Logger {
    /// Writes nothing.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension MockBackend {
    /// What a server has: the mocks, and their commands.
    func handler(
        journal: Journal = Journal(),
        faults: FaultBoard = FaultBoard(),
        access: LocalAccess = LocalAccess(host: "127.0.0.1")
    ) -> any Handler {
        let router = Router()
        router.use(MockAdmin(self, journal: journal, faults: faults, access: access))
        router.use(FaultInjection(faults, access: access) { journal.responded($0, $1, $2) })
        router.mocks(self)
        router.explainMismatches(of: self)
        return router.handler()
    }
}

extension Response {
    /// The body as text.
    var text: String {
        switch body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .empty: ""
        default: "\(body)"
        }
    }
}

/// Calls `body` with mocks of some files, at `/` unless the configuration says otherwise.
func withMocks<Result>(
    _ files: [String: String],
    logger: Logger = .silent,
    configure: (inout MockConfiguration) -> Void = { _ in },
    _ body: (Mocks) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { folder in
        for (name, text) in files { try folder.write(text, to: name) }
        var configuration = MockConfiguration(formats: [.applin()])
        configure(&configuration)
        let backend = MockBackend(configuration, logger: logger)
        let routes = try RouteFiles(folder.path, backend: backend)
        try routes.load()
        return try await body(Mocks(folder: folder, backend: backend, files: routes, handler: backend.handler()))
    }
}

/// What is wrong with a file, as it is told at start-up.
func problems(
    _ name: String,
    _ text: String,
    others: [String: String] = [:],
    formats: [FileFormat] = [.applin()]
) async throws -> [String] {
    try await withTemporaryFolder { folder in
        try folder.write(text, to: name)
        for (name, text) in others { try folder.write(text, to: name) }
        let backend = MockBackend(MockConfiguration(formats: formats), logger: .silent)
        return try RouteFiles(folder.path, backend: backend).scan().problems.map(\.description)
    }
}
