import Backlot
import BacklotService
import TestSupport
import Testing

@testable import demo_server

/// What `demo-server` makes of its command line, and the pages about it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
    private func run(_ arguments: String...) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", arguments).outcome()
    }

    @Test(
        arguments: [
            (["help", "nonsense"], "Error: 'demo-server' has no command 'nonsense'. 'demo-server --help' lists"),
            (
                ["chekc"],
                "Error: 'demo-server' has no command 'chekc'; did you mean 'check'? 'demo-server --help' lists"
            ),
            (
                ["help", "views", "lst"],
                "Error: 'demo-server views' has no command 'lst'; did you mean 'list'? 'demo-server"
            ),
            (
                ["views", "chck", "a.json"],
                "Error: 'demo-server views' has no command 'chck'; did you mean 'check'? 'demo-server views --help' lists"
            ),
        ]
    )
    func `A command that there isn't is refused, with the nearest`(arguments: [String], message: String) throws {
        let outcome = try ServerProcess("demo-server", arguments).outcome().withStatus(64)
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
        #expect(outcome.output == "")
    }

    @Test(
        arguments: [
            [], ["help"], ["help", "views", "list"], ["--port", "chekc"], ["check", "http://localhost/"],
            ["judge", "help"], ["views", "list", "nonsense"], ["-h"],
        ]
    )
    func `What may be a command, an option or a file is left alone`(arguments: [String]) {
        #expect(UnknownCommand.text(arguments, of: DemoServer.Command.self) == nil)
    }

    @Test func `The version is printed`() throws {
        let outcome = try run("--version").withStatus(0)
        let commit = try #require(outcome.output.firstMatch(of: /\((unknown|[0-9a-f]{12})\)\n$/)).1
        #expect(outcome.output == "\(BacklotVersion.current) (\(commit))\n")
        #expect(BacklotVersion.current.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    #if os(Linux)
    @Test(arguments: [["manual"], ["schema", "page"], ["completions", "bash"], ["--help"], ["--version"]])
    func `A result that can't be written is an error`(arguments: [String]) throws {
        let outcome = try ServerProcess("demo-server", arguments, prelude: "exec >/dev/full").outcome().withStatus(1)
        #expect(outcome.errors == "Error: standard output can't be written: it is closed, or its disk is full.\n")
    }
    #endif

    @Test(arguments: ["exec >&-", "mkfifo pipe; : <pipe & exec >pipe; wait"])
    func `A server goes on if nobody reads its output`(prelude: String) async throws {
        try await withTemporaryFolder { folder in
            let arguments = ["--port", "0", "--admin-port", "0", "--log-level", "info"]
            let server = try ServerProcess("demo-server", arguments, prelude: prelude, in: folder.path)
            // The second port opens after the address of the first has been printed.
            for _ in 0..<2 { #expect(server.errors(upTo: "listening on").contains("listening on")) }
            server.signal(SIGTERM)
            let outcome = server.outcome().withStatus(0)
            #expect(!outcome.errors.contains("Error: "), "\(outcome.errors)")
        }
    }

    @Test func `A server goes on if nobody reads its log`() async throws {
        try await withTemporaryFolder { folder in
            // Mock routes are a reason to log before the port opens.
            try folder.write("{}", to: "Routes/a.get.json")
            let prelude = "mkfifo pipe; : <pipe & exec 2>pipe; wait"
            let server = try ServerProcess("demo-server", ["--port", "0"], prelude: prelude, in: folder.path)
            #expect(server.address() != nil)
            server.signal(SIGTERM)
            #expect(server.outcome().status == 0)
        }
    }

    @Test(arguments: Completions.Shell.allCases)
    func `Completions know every command`(shell: Completions.Shell) throws {
        let outcome = try run("completions", shell.rawValue).withStatus(0)
        for command in DemoServer.Command.configuration.subcommands {
            #expect(outcome.output.contains(command._commandName), "\(command)")
        }
    }

    @Test func `Of a shell that isn't known the known ones are named`() throws {
        let outcome = try run("completions", "tcsh").withStatus(64)
        #expect(outcome.errors.contains("'bash', 'zsh' or 'fish'"))
    }

    @Test(arguments: [("cases.yaml", true), ("cases.yml", true), ("cases.json", true), ("cases.txt", false)])
    func `Cases of A2UI are in files of YAML or JSON`(name: String, isFound: Bool) async throws {
        try await withTemporaryFolder { folder in
            let message = #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}"#
            let expected = #"{"surfaces":{"s":{"exists":true}}}"#
            try folder.write(
                #"[{"name":"one","action":"process_messages","messages":[\#(message)],"expect":\#(expected)}]"#,
                to: name
            )
            let outcome = try run("a2ui", "conformance", folder.path).withStatus(isFound ? 0 : 64)
            #expect(outcome.output == (isFound ? "passed         one\n1 passed, 0 failed, 0 not supported\n" : ""))
            try folder.write("[]", to: name)
            let none = try run("a2ui", "conformance", folder.path).withStatus(64)
            #expect(none.errors.contains("no case in \(folder.path): name folders with files of cases."))
        }
    }

    @Test func `The manual page has every command and option`() throws {
        let page = try run("manual").output
        #expect(page.hasPrefix(".TH DEMO\\-SERVER 1 \"\" \"Backlot \(BacklotVersion.current)\""))
        for command in DemoServer.Command.configuration.subcommands {
            let name = command._commandName.replacing("-", with: "\\-")
            #expect(page.contains("\n.SS demo\\-server \(name)\n.nf\n\\&OVERVIEW: "), "\(command)")
        }
        #expect(page.contains("\n\\&  \\-\\-port <port>           The port to listen on; 0 takes a free one."))
        #expect(page.contains("\n.SS demo\\-server mocks verify\n"))
        #expect(!page.contains("\n\n"))
    }

    @Test func `Texts can be no requests to troff`() {
        #expect(Manual.escaped(".so /etc/passwd\n'\\é") == "\\&.so /etc/passwd\n\\&\\(aq\\eé")
    }

    @Test func `The usual public folder may be missing, and one that is named must be there`() async throws {
        try await withTemporaryFolder { folder in
            let server = try ServerProcess("demo-server", ["--port", "0", "--log-level", "critical"], in: folder.path)
            #expect(server.firstLine()?.hasPrefix("listening on ") == true)
            server.signal(15)
            #expect(server.outcome().status == 0)
            let outcome = try ServerProcess("demo-server", ["--port", "0", "--public", "Publik"], in: folder.path)
                .outcome()
            #expect(outcome.status == 64)
            #expect(outcome.errors == "Error: --public is 'Publik': this folder doesn't exist.\n")
        }
    }

    @Test func `What mocks and faults answer is in the log, with its place`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("1", to: "a.get.json")
            try folder.write("responses:\n- fault: EMPTY_RESPONSE\n", to: "b.get.yaml")
            let server = try ServerProcess("demo-server", ["mock", "--port", "0", "--routes", folder.path])
            let address = try #require(server.address())
            for target in ["/a", "/b", "/a HTTP/1.1\r\nBacklot-Fault: status=503\r\nX: "] {
                let client = try await RawClient.connect(to: address)
                try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                _ = try? await client.receive()
            }
            do {
                let phone = try await RawClient.connect(to: address)
                try await phone.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3])
                _ = try? await phone.receive()
            }
            server.signal(15)
            let log = server.outcome().errors
            #expect(log.contains(#""mock":"a.get.json:1""#), "\(log)")
            #expect(log.contains(#""mock":"b.get.yaml:2","fault":"EMPTY_RESPONSE""#), "\(log)")
            #expect(log.contains(#""fault":"status=503""#), "\(log)")
            #expect(!log.contains(#""route":"*""#))
            #expect(
                log.contains("1 connection came with TLS, the last from 127.0.0.1, to a port without it: use http://")
            )
        }
    }

    @Test func `A second server on the same file of sessions warns`() async throws {
        try await withTemporaryFolder { folder in
            let arguments = ["--port", "0", "--sessions", "sqlite:\(folder.path)/sessions.sqlite"]
            let servers = try (0..<2).map { _ in
                let server = try ServerProcess("demo-server", arguments, in: folder.path)
                #expect(server.firstLine() != nil)
                return server
            }
            for server in servers { server.signal(15) }
            let logs = servers.map { $0.outcome().errors }
            let text = "another server uses the file of sessions \(folder.path)/sessions.sqlite too"
            #expect(logs.map { $0.contains(text) } == [false, true])
        }
    }
}
