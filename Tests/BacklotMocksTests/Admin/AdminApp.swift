import Applin
import Backlot
import Logging
import Testing

@testable import BacklotMocks

/// Mocks with commands, in process.
struct AdminApp {
    let backend: MockBackend
    let journal: Journal
    let faults = FaultBoard()
    let handler: any Handler

    init(
        path: String = "/",
        access: LocalAccess = LocalAccess(host: "127.0.0.1"),
        logger: Logger = .silent
    ) {
        let journal = Journal(path: path)
        var configuration = MockConfiguration(formats: [.applin()])
        configuration.path = path
        configuration.observer = journal
        backend = MockBackend(configuration, logger: logger)
        self.journal = journal
        handler = backend.handler(journal: journal, faults: faults, access: access)
    }

    /// What is answered: the status, and the body as JSON; a text where it is none.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ body: JSONValue? = nil,
        headers: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONValue) {
        try await call(method, target, bytes: body?.bytes ?? [], headers: headers)
    }

    func call(
        _ method: HTTPRequest.Method,
        _ target: String,
        bytes: [UInt8],
        headers: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONValue) {
        let request = try Request(method, target, headers: headers, body: bytes)
        let response = try await handler.response(to: request)
        guard case .bytes(let bytes) = response.body else { return (response.status.code, .null) }
        let json = try? JSONValue(parsing: bytes.span)
        return (response.status.code, json ?? .string(String(decoding: bytes, as: UTF8.self)))
    }

    /// Adds a stub, and returns its id.
    @discardableResult
    func add(_ stub: JSONValue) async throws -> String {
        let response = try await call(.post, "/__admin/mappings", stub)
        #expect(response.status == 201)
        return try #require(response.json["id"]?.string)
    }
}
