import ArgumentParser
import Backlot
import TestSupport
import Testing

@testable import BacklotService

/// What a program has of being a `ServerApp`, and what is said of mistakes.
@Suite(.timeLimit(.minutes(5))) struct ServerAppTests {
    private static func failure(_ arguments: [String]) async -> (text: String?, code: Int32)? {
        guard let failure = await CommandLineRun(WaitingRoom.Command.self).failure(of: arguments) else { return nil }
        return (failure.text, WaitingRoom.Command.exitCode(for: failure.error).rawValue)
    }

    @Test func `Without a name, the type's is taken`() {
        #expect(WaitingRoom.Command.configuration.commandName == "waiting-room")
        #expect(Named.Command.configuration.commandName == "front-desk")
    }

    @Test func `The commands of every server stand beside its own, which replace them`() {
        func names(_ command: any ParsableCommand.Type) -> [String] {
            command.configuration.subcommands.map { $0._commandName }
        }
        #expect(names(WaitingRoom.Command.self) == ["serve", "config", "check", "routes", "health", "tls"])
        #expect(names(Named.Command.self) == ["serve", "stock", "routes", "config", "check", "health", "tls"])
        #expect(Named.Command.configuration.defaultSubcommand?._commandName == "serve")
    }

    @Test(
        arguments: [
            (["--port", "web"], "--port is 'web': write a number from 0 to 65535, 0 for a free one."),
            (["--seats", "many"], "--seats is 'many': write a number from 1 to 100."),
            (["config", "--seats", "0"], nil),
            (["check", "--seats", "0"], "--seats is '0': write a number from 1 to 100."),
            (
                ["--seats", "3", "--standing", "4"],
                "--standing is '4', and there are --seats for 3: write at most as many."
            ),
            (["--sessions", "sqlite:a"], "--sessions: unknown store 'sqlite': write memory."),
            (["--sessions", "memory:a"], "--sessions: memory takes nothing behind it: write memory."),
            (
                ["--tls-cert", "a.pem"],
                "--tls-cert names one certificate, and --tls-key no key: name one key for each certificate, in the same order."
            ),
            (
                ["--tls-self-signed", "--tls-cert", "a", "--tls-key", "b"],
                "--tls-self-signed is 'true', and a --tls-cert"
            ),
            (["--tls-cert", "/nowhere/a.pem", "--tls-key", "/nowhere/b.pem"], "/nowhere/a.pem"),
            (["--redirect-to-https", "80"], "--redirect-to-https"),
            (
                ["--admin", "off", "--admin-port", "0"],
                "--admin is 'off', and an --admin-port is set: leave one of the two"
            ),
            (["--admin", "token"], "--admin is 'token', but there is no token: set an --admin-token."),
            (["--prot", "1"], "Unknown option '--prot'. Did you mean '--port'?"),
            (["--port"], "Missing value for '--port <port>'"),
            (
                ["rotes"],
                "'waiting-room' has no command 'rotes'; did you mean 'routes'? 'waiting-room --help' lists the"
            ),
            (["zzzz"], "'waiting-room' has no command 'zzzz'. 'waiting-room --help' lists the commands."),
            (["health", "--port", "0"], "The port of the settings is 0, which takes a free one: write --port and the"),
            (
                ["tls", "trust", "--port", "0"],
                "The port of the settings is 0, which takes a free one: write --port and"
            ),
        ] as [([String], String?)]
    )
    func `A mistake on the command line is one line, and status 64`(arguments: [String], text: String?) async throws {
        let failure = try #require(await Self.failure(arguments))
        #expect(failure.code == 64)
        if let text { #expect(failure.text?.contains(text) == true, "\(failure.text ?? "")") }
        #expect(failure.text?.contains("\n") != true)
    }

    @Test func `An error of the routes is one line, and status 1`() async throws {
        let failure = try #require(await Self.failure(["check", "--closed"]))
        #expect(failure.text == "the room is closed")
        #expect(failure.code == 1)
        let twice = try #require(await Self.failure(["routes", "--twice"]))
        #expect(twice.text?.contains("GET /seats is taken by /seats") == true)
    }

    @Test(arguments: [["check"], ["routes"], ["config"], ["config", "--seats", "7"]])
    func `A command that works ends with nothing`(arguments: [String]) async throws {
        #expect(await Self.failure(arguments) == nil)
    }

    @Test func `Its own settings come from all sources`() async throws {
        func seats(_ options: [String: String], _ environment: [String: String]) throws -> Int {
            let sources = try SettingSources(options: options, environment: environment, file: "/nowhere/.env")
            let settings = try WaitingRoom.serviceSettings(sources)
            return try AppContext(settings, sources, isServing: false).required(WaitingRoom.seats)
        }
        #expect(try seats([:], [:]) == 5)
        #expect(try seats([:], ["SEATS": "6"]) == 6)
        #expect(try seats(["seats": "7"], ["SEATS": "6"]) == 7)
        #expect(throws: SettingError.self) { _ = try seats([:], ["SEATS": "x"]) }
    }

    @Test func `A file that can't be opened is an error of the setting that names it`() async throws {
        func failure(_ options: [String: String], _ environment: [String: String]) async throws -> String {
            let sources = try SettingSources(options: options, environment: environment, file: "/nowhere/.env")
            let service = try AppContext(try WaitingRoom.serviceSettings(sources), sources, isServing: false)
            return try await #require(throws: SettingError.self) {
                _ = try await service.using(WaitingRoom.seats) { _ in throw WaitingRoom.Closed() }
            }.description
        }
        #expect(try await failure([:], [:]) == "--seats is '5': the room is closed.")
        #expect(try await failure([:], ["SEATS": "6"]) == "SEATS in the environment is '6': the room is closed.")
        #expect(try await failure(["seats": "7"], [:]) == "--seats is '7': the room is closed.")
    }

    @Test func `The option of a setting has its default in the help`() {
        let help = WaitingRoom.Command.helpMessage(for: ServeCommand<WaitingRoom>.self)
        #expect(help.contains("--seats <seats>"), "\(help)")
        #expect(help.contains("How many people may sit. (default: 5)"), "\(help)")
    }

    @Test func `Defaults that depend on other settings are known`() throws {
        func standard(_ name: String, _ options: [String: String] = [:]) throws -> String? {
            let sources = try SettingSources(options: options, environment: [:], file: nil)
            return try WaitingRoom.serviceSettings(sources).defaultText(of: name)
        }
        #expect(try standard("sessions")?.contains("memory") == true)
        #expect(try standard("admin") == "local")
        #expect(try standard("admin", ["admin-token": "12345678"]) == "token")
        #expect(try standard("seats") == nil)
    }

    @Test func `On a terminal, idle clients don't keep the server from stopping`() throws {
        func wait(isTerminal: Bool) throws -> Duration {
            let sources = try SettingSources(options: [:], environment: [:], file: nil)
            let settings = try ServiceSettings(name: "x", stores: [.memory], sources, isTerminal: isTerminal)
            let timeouts = settings.configuration.timeouts
            return timeouts.drainIdle + timeouts.linger
        }
        #expect(try wait(isTerminal: true) < .seconds(1))
        #expect(try wait(isTerminal: false) == .seconds(10))
    }

    @Test func `Work that fails stops the server, and its error is the program's`() async throws {
        struct Broken: Error {}
        let options = ["port": "0", "admin": "off"]
        let sources = try SettingSources(options: options, environment: [:], file: nil)
        let service = try AppContext(try WaitingRoom.serviceSettings(sources), sources, isServing: true)
        let ended = Locked(0)
        service.whileServing {
            defer { ended.withLock { $0 += 1 } }
            try await Task.sleep(for: .seconds(600))
        }
        service.whileServing { throw Broken() }
        service.afterServing { ended.withLock { $0 += 10 } }
        await #expect(throws: Broken.self) { try await service.serve(Router()) }
        #expect(ended.withLock(\.self) == 11)
    }

    @Test func `Work that fails stops the server like a SIGTERM, and its log reaches the collector`() async throws {
        struct Broken: Error {}
        let bodies = AsyncStream.makeStream(of: String.self)
        let collector = Router()
        collector.post("/v1/logs") { request in
            let body = String(decoding: try await request.body.collect(), as: UTF8.self)
            bodies.continuation.yield(body)
            return Response.text("{}")
        }
        try await withServer(collector.handler()) { address in
            let environment = [
                "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://\(address)/v1/logs",
                "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", "OTEL_EXPORTER_OTLP_TIMEOUT": "120000",
                "OTEL_BLRP_SCHEDULE_DELAY": "1", "OTEL_BLRP_EXPORT_TIMEOUT": "120000",
            ]
            let options = ["port": "0", "admin": "off", "drain-delay": "3600"]
            let sources = try SettingSources(options: options, environment: environment, file: nil)
            let service = try AppContext(try WaitingRoom.serviceSettings(sources), sources, isServing: true)
            service.whileServing { throw Broken() }
            let serving = Task {
                defer { bodies.continuation.finish() }
                try await service.serve(Router())
            }
            // The server is in the drain delay then. A cancellation ends it.
            let body = await bodies.stream.first { $0.contains("stopping: finishing current requests") }
            #expect(body != nil)
            serving.cancel()
            await #expect(throws: Broken.self) { try await serving.value }
        }
    }

    @Test func `Columns are as wide as their widest cell, and the last has no blanks`() {
        #expect(Columns.text([["a", "bcd", "e"], ["fg", "h", "ij"]]) == "a   bcd  e\nfg  h    ij\n")
        #expect(Columns.text([]) == "")
    }
}

/// A server with settings of its own, that can be made to fail.
private struct WaitingRoom: ServerApp {
    static let seats = Setting(name: "seats", defaultText: "5", allowed: "a number from 1 to 100") { text in
        Int(text).flatMap { (1...100).contains($0) ? $0 : nil }
    }
    static let standing = Setting(name: "standing", defaultText: "0", allowed: "a number") { Int($0) }
    static let settings: [any ListedSetting] = [seats, standing]

    @Option(WaitingRoom.seats, "How many people may sit.") var seats: String?
    @Option(WaitingRoom.standing, "How many people may stand.") var standing: String?
    @Flag var closed = false
    @Flag var twice = false

    static func checkSettings(_ sources: SettingSources) throws {
        let (seats, standing) = (try sources.required(seats), try sources.required(standing))
        guard standing <= seats else {
            throw SettingError(
                "--standing is '\(standing)', and there are --seats for \(seats): write at most as many."
            )
        }
    }

    struct Closed: Error, CustomStringConvertible {
        let description = "the room is closed"
    }

    func routes(_ router: Router, _ service: AppContext) async throws {
        if closed { throw Closed() }
        let seats = try service.required(Self.seats)
        for _ in 0..<(twice ? 2 : 1) { router.get("/seats") { _ in .text("\(seats)") } }
        #expect(!service.isServing)
    }
}

private struct Named: ServerApp {
    static let configuration = CommandConfiguration(
        commandName: "front-desk",
        subcommands: [Stock.self, OwnRoutes.self]
    )

    func routes(_ router: Router, _ service: AppContext) async throws {}

    struct Stock: ParsableCommand {}
    struct OwnRoutes: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "routes")
    }
}
