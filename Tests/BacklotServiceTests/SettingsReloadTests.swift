import Backlot
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BacklotService

/// What a SIGHUP changes, and the commands to a running server.
@Suite(.timeLimit(.minutes(1))) struct SettingsReloadTests {
    @Test(
        arguments: [
            ("LOG_LEVEL=info", "no setting that the server can change has changed", nil),
            ("LOG_LEVEL=debug", "the log level is debug now", .debug),
            ("LOG_LEVEL=info\nPORT=2", "a restart is needed for port", nil),
            (
                "LOG_LEVEL=trace\nMAX_BODY=2KiB\nHOST=::1",
                "the log level is trace now; a restart is needed for host, max-body", .trace
            ),
            ("", "no setting that the server can change has changed", nil),
        ] as [(String, String, Logger.Level?)]
    )
    func `Only the log level changes while the server runs`(
        later: String,
        text: String,
        level: Logger.Level?
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("LOG_LEVEL=info\n", to: ".env")
            let sources = try SettingSources(options: [:], environment: [:], file: file)
            let settings = sources.texts(of: ServiceSetting.all(stores: [.memory]))
            try folder.write(later, to: ".env")
            let reload = try SettingsReload(sources, level: .info, settings: settings)
            #expect(reload.text == text)
            #expect(reload.level == level)
        }
    }

    @Test(arguments: [("LOG_LEVEL=loud", "LOG_LEVEL in .env is 'loud': write one of"), ("LOG_LEVEL", "line 1 of ")])
    func `A file with a mistake changes nothing`(later: String, message: String) async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("LOG_LEVEL=info\n", to: ".env")
            let sources = try SettingSources(options: [:], environment: [:], file: file)
            try folder.write(later, to: ".env")
            let error = try #require(throws: SettingError.self) {
                _ = try SettingsReload(sources, level: .info, settings: [])
            }
            #expect(error.description.hasPrefix(message), "\(error)")
        }
    }

    @Test func `A new secret in the same file needs a restart`() async throws {
        try await withTemporaryFolder { folder in
            let token = try folder.write("open-sesame-7", to: "token")
            try folder.write("memory", to: "credentials/sessions")
            let environment = ["ADMIN_TOKEN_FILE": token, "CREDENTIALS_DIRECTORY": "\(folder.path)/credentials"]
            let sources = try SettingSources(options: [:], environment: environment, file: nil)
            let service = try ServiceSettings(name: "x", stores: [.memory], sources, isTerminal: false)
            func text() throws -> String {
                try SettingsReload(service.sources, level: .info, settings: service.listed).text
            }
            #expect(try text() == "no setting that the server can change has changed")
            try folder.write("open-sesame-8", to: "token")
            #expect(try text() == "a restart is needed for admin-token")
            try folder.write("sqlite:a", to: "credentials/sessions")
            #expect(try text() == "a restart is needed for admin-token, sessions")
        }
    }

    @Test func `Loggers follow their threshold`() {
        let threshold = LogThreshold(.info)
        let logger = LogOutput.standardError.logger(label: "a", threshold: threshold)
        var own = logger
        own.logLevel = .error
        threshold.level = .trace
        #expect(logger.logLevel == .trace)
        #expect(own.logLevel == .error)
    }

    // MARK: Commands

    /// The status and the text that a client gets.
    private static func outcome(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        threshold: LogThreshold = LogThreshold(.info),
        token: String? = "12345678",
        drain: @escaping @Sendable () -> Void = {}
    ) async throws -> (status: Int, text: String) {
        let router = Router()
        let access = LocalAccess(host: "0.0.0.0", trustsProxies: false, token: "12345678", logger: .silent)
        router.use(ServerCommands(access: access, threshold: threshold, logger: .silent, drain: drain))
        router.get("/__admin/mappings") { _ in .text("another command") }
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        do {
            let request = try Request(method, path, headers: headers, body: Array(body.utf8))
            let handler = router.handler()
            let response = try await handler(request)
            guard case .bytes(let bytes) = response.body else { return (response.status.code, "") }
            return (response.status.code, String(decoding: bytes, as: UTF8.self))
        } catch let error as StatusError {
            return (error.status.code, error.reason)
        }
    }

    @Test func `The log level is read and set`() async throws {
        let threshold = LogThreshold(.info)
        let set = try await Self.outcome(.put, "/__admin/log-level", #"{"level": "debug"}"#, threshold: threshold)
        #expect(set.status == 200)
        #expect(threshold.level == .debug)
        let read = try await Self.outcome(.get, "/__admin/log-level", threshold: threshold)
        #expect(read.text == #"{"level":"debug"}"#)
    }

    @Test(
        arguments: [
            ("PUT", "/__admin/log-level", #"{"level": "loud"}"#, 422, "one of trace, debug, info"),
            ("PUT", "/__admin/log-level", "{}", 422, "the body names no level"),
            ("PUT", "/__admin/log-level", "level", 400, "the body is not JSON"),
            ("DELETE", "/__admin/log-level", "", 405, "allowed: GET, HEAD, PUT"),
            ("GET", "/__admin/drain", "", 405, "allowed: POST"),
            ("GET", "/__admin/drains", "", 404, ""),
        ]
    )
    func `A wrong command is explained`(
        method: String,
        path: String,
        body: String,
        status: Int,
        text: String
    ) async throws {
        let threshold = LogThreshold(.info)
        let verb = try #require(HTTPRequest.Method(rawValue: method))
        let outcome = try await Self.outcome(verb, path, body, threshold: threshold)
        #expect(outcome.status == status)
        #expect(outcome.text.contains(text), "\(outcome.text)")
        #expect(threshold.level == .info)
    }

    @Test func `A drain is begun, and only for who may command`() async throws {
        let drains = Locked(0)
        let drain = { @Sendable in drains.withLock { $0 += 1 } }
        #expect(try await Self.outcome(.post, "/__admin/drain", drain: drain).status == 202)
        #expect(drains.withLock { $0 } == 1)
        #expect(try await Self.outcome(.post, "/__admin/drain", token: nil, drain: drain).status == 404)
        #expect(try await Self.outcome(.post, "/__admin/drain", token: "87654321", drain: drain).status == 404)
        #expect(drains.withLock { $0 } == 1)
    }

    @Test func `Other commands are handed on`() async throws {
        #expect(try await Self.outcome(.get, "/__admin/mappings").text == "another command")
    }
}
