import Backlot
import Logging
import TestSupport
import Testing

@testable import BacklotService
@testable import demo_server

/// Settings, their sources, and the errors for wrong values.
@Suite(.timeLimit(.minutes(5))) struct SettingTests {
    private static let nothing = "/nowhere/.env"

    private static func sources(
        _ options: [String: String] = [:],
        _ environment: [String: String] = [:],
        file: String = nothing
    ) throws -> SettingSources {
        try SettingSources(options: options, environment: environment, file: file)
    }

    @Test(
        arguments: [
            ("host", "nowhere", "--host is 'nowhere': write an IP address"),
            ("port", "65536", "--port is '65536': write a number from 0 to 65535, 0 for a free one."),
            ("port", "", "--port is '': write a number"),
            ("admin-port", "-1", "--admin-port is '-1': write a number"),
            (
                "admin", "nobody",
                "--admin is 'nobody': write off for nobody, local for programs of this machine, or token"
            ),
            ("admin", "token", "--admin is 'token', but there is no token: set an --admin-token."),
            ("admin-token", "1234567", "--admin-token is wrong: write 8 or more ASCII characters without blanks"),
            ("admin-token", "open sesame", "--admin-token is wrong: write 8 or more ASCII characters without blanks"),
            ("trusted-proxies", "10.0.0.0/33", "--trusted-proxies is '10.0.0.0/33': write addresses and ranges"),
            ("trusted-proxies", "proxy", "--trusted-proxies is 'proxy': write addresses and ranges"),
            ("cors", "app.example.com", "--cors is 'app.example.com': write origins such as https://app.example.com"),
            ("cors", "https://app.example.com/", "--cors is 'https://app.example.com/': write origins"),
            ("cors", "https://", "--cors is 'https://': write origins"),
            ("cors", "https://a.example,", "--cors is 'https://a.example,': write origins"),
            ("cors", "*,https://a.example", "--cors is '*,https://a.example': write origins"),
            ("public", "", "--public is '': write the path of a folder."),
            ("routes", "", "--routes is '': write the path of a folder."),
            ("floki-record", "", "--floki-record is '': write the path of a file."),
            (
                "floki-record", "/nowhere/a.json",
                "--floki-record '/nowhere/a.json': the folder '/nowhere' doesn't exist"
            ),
            ("floki-record", "/proc", "--floki-record '/proc': this is a folder. Name a file in it."),
            ("drain-delay", "3601", "--drain-delay is '3601': write a number of seconds from 0 to 3600."),
            ("drain-delay", "nan", "--drain-delay is 'nan': write a number of seconds from 0 to 3600."),
            ("log-level", "loud", "--log-level is 'loud': write one of trace, debug, info"),
            ("log-format", "xml", "--log-format is 'xml': write text, json, logfmt, or auto"),
            ("feeds", "disk", "--feeds: unknown store 'disk': write memory"),
            ("feeds", "sqlite:", "--feeds: the path is missing: write sqlite:PATH"),
            ("feeds", "memory:x", "--feeds: memory takes nothing behind it: write memory"),
            ("wire", "yes", "--wire is 'yes': write on or off."),
            ("desk-password", "1234567", "--desk-password is wrong: write 8 or more characters"),
            (
                "desk-token", "0123456789abcde",
                "--desk-token is wrong: write 16 or more ASCII letters, digits and -._~+/"
            ),
            ("desk-token", "0123456789 abcdef", "--desk-token is wrong: write 16 or more ASCII letters"),
            (
                "breaking-hook", "push.example",
                "--breaking-hook is '(hidden)': write the URL of a program that takes"
            ),
        ]
    )
    func `A wrong value is named, with what is allowed`(name: String, value: String, message: String) async throws {
        let sources = try Self.sources([name: value])
        let error = try #require(throws: SettingError.self) { _ = try DemoServer.serviceSettings(sources) }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test(
        arguments: [
            ("admin", "off"), ("admin", "local"), ("cors", "*"),
            ("cors", "https://app.example.com, HTTP://localhost:3000"), ("admin-token", "12345678"),
            ("trusted-proxies", "127.0.0.1, 10.0.0.0/8,::1"), ("host", "localhost"), ("host", "::"), ("port", "0"),
            ("log-format", "json"), ("drain-delay", "0.5"), ("feeds", "memory"), ("feeds", "sqlite:/a/b.sqlite"),
            ("floki-record", "/tmp/floki.json"), ("wire", "off"), ("desk-password", "12345678"),
            ("desk-token", "0123456789abcdef"),
            ("breaking-hook", "https://push.example/breaking?a=b"),
        ]
    )
    func `What may be written is taken`(name: String, value: String) async throws {
        _ = try DemoServer.serviceSettings(try Self.sources([name: value]))
    }

    @Test(arguments: [
        ("https://push.example:8443/breaking/secret?token=secret", "https://push.example:8443/…"),
        ("push.example/secret", "(hidden)"),
    ])
    func `No token of a webhook is shown`(url: String, shown: String) {
        #expect(DemoSettings.breakingHook.display(url) == shown)
    }

    @Test(
        arguments: [
            (["sessions": "memory"], [:], "in memory; they end with the server"),
            (["sessions": "sqlite:/a.d/s.sqlite"], [:], "in a file of SQLite, /a.d/s-feeds.sqlite"),
            (["sessions": "sqlite:/a.d/s"], [:], "in a file of SQLite, /a.d/s-feeds"),
            (["sessions": "redis://cache/0"], [:], "in memory; they end with the server"),
            (["sessions": "redis://cache/0", "feeds": "sqlite:f"], [:], "in a file of SQLite, f"),
            (["sessions": "postgres://ada:secret@db/web"], [:], "on postgres://ada:***@db/web"),
            ([:], ["XDG_STATE_HOME": "/state"], "in a file of SQLite, /state/backlot/demo-server-feeds.sqlite"),
            ([:], ["SESSIONS": "memory", "XDG_STATE_HOME": "/state"], "in memory; they end with the server"),
            ([:], ["FEEDS": "memory", "XDG_STATE_HOME": "/state"], "in memory; they end with the server"),
            ([:], [:], "in memory; they end with the server"),
        ] as [([String: String], [String: String], String)]
    )
    func `Feeds are where sessions are`(
        options: [String: String],
        environment: [String: String],
        place: String
    ) async throws {
        let settings = try DemoSettings(try Self.sources(options, environment))
        #expect(settings.feeds.description == place)
    }

    @Test func `Options count before the environment, that before the file, that before defaults`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("PORT=1\nDRAIN_DELAY=2\n# a comment\n\nLOG_LEVEL=error\nHOST=::1\n", to: ".env")
            let environment = ["PORT": "3", "DRAIN_DELAY": "4", "HOST": ""]
            let sources = try Self.sources(["port": "5"], environment, file: file)
            let settings = try DemoServer.serviceSettings(sources)
            #expect(settings.port == 5)
            #expect(settings.drainDelay == .seconds(4))
            #expect(settings.logger.logLevel == .error)
            // An empty variable doesn't count.
            #expect(settings.host == "::1")
            let origins = [ServiceSetting.port, ServiceSetting.adminPort].map { sources.text($0)?.origin }
            #expect(origins == ["--port", nil])
            #expect(sources.text(ServiceSetting.drainDelay)?.origin == "DRAIN_DELAY in the environment")
            #expect(sources.text(ServiceSetting.logLevel)?.origin == "LOG_LEVEL in .env")
            #expect(sources.text(DemoSettings.publicFolder)?.isDefault == true)
        }
    }

    @Test(arguments: ["PORT", "PORT=1\nport 2", "PORT=1\r\nport 2\r\n", "=3"])
    func `A line that is none is named`(text: String) async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(text, to: ".env")
            let error = try #require(throws: SettingError.self) { _ = try Self.sources(file: file) }
            #expect(error.description.contains("of \(file) is not a setting: write NAME=value"), "\(error)")
        }
    }

    @Test func `The value of a file is explained by its place`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("PORT=web\n", to: ".env")
            let sources = try Self.sources(file: file)
            let error = try #require(throws: SettingError.self) { _ = try DemoServer.serviceSettings(sources) }
            #expect(error.description.hasPrefix("PORT in .env is 'web': write a number"), "\(error)")
        }
    }

    // MARK: Access to commands

    private static func admits(_ access: LocalAccess, _ fields: HTTPFields = [:]) throws -> Bool {
        access.admits(try Request(.get, "/__admin", headers: fields))
    }

    @Test func `Commands are for programs of this machine, or for who has the token`() async throws {
        func access(_ options: [String: String]) async throws -> LocalAccess {
            try DemoServer.serviceSettings(try Self.sources(options)).access
        }
        let token: HTTPFields = [.authorization: "Bearer 12345678"]
        #expect(try Self.admits(await access([:])))
        #expect(try !Self.admits(await access(["host": "0.0.0.0"])))
        #expect(try !Self.admits(await access(["trusted-proxies": "10.0.0.1"])))
        #expect(try !Self.admits(await access(["proxy-protocol": "127.0.0.1"])))
        #expect(try !Self.admits(await access(["admin-token": "12345678"])))
        #expect(try Self.admits(await access(["admin-token": "12345678", "host": "0.0.0.0"]), token))
        #expect(try !Self.admits(await access(["admin-token": "12345678", "admin-port": "0"]), token))
    }

    @Test(arguments: [
        (["admin": "off"], false, false), (["admin": "off", "admin-token": "12345678"], false, false),
        (["admin": "local"], true, false), (["admin": "token", "admin-token": "12345678"], false, true),
        (["admin": "token", "admin-token": "12345678", "host": "0.0.0.0"], false, true),
    ])
    func `Who is meant can be said openly`(options: [String: String], isLocal: Bool, isToken: Bool) async throws {
        let settings = try DemoServer.serviceSettings(try Self.sources(options))
        for access in [settings.access, settings.ownAccess] {
            #expect(try Self.admits(access) == isLocal)
            #expect(try Self.admits(access, [.authorization: "Bearer 12345678"]) == (isLocal || isToken))
        }
    }

    @Test(arguments: [
        (["host": "0.0.0.0", "admin-host": "127.0.0.1"], true), (["trusted-proxies": "10.0.0.1"], true),
        (["proxy-protocol": "127.0.0.1"], true), ([:], true), (["host": "0.0.0.0"], false),
        (["admin-host": "0.0.0.0"], false),
    ])
    func `A port of its own is judged by its own address`(options: [String: String], isLocal: Bool) async throws {
        let options = options.merging(["admin-port": "0"]) { own, _ in own }
        let settings = try DemoServer.serviceSettings(try Self.sources(options))
        #expect(try Self.admits(settings.ownAccess) == isLocal)
        #expect(try !Self.admits(settings.access))
    }

    @Test func `What one part of the server finds out about proxies, all parts know`() async throws {
        let settings = try DemoServer.serviceSettings(try Self.sources())
        #expect(try Self.admits(settings.access) && Self.admits(settings.ownAccess))
        let via = try #require(HTTPField.Name("Via"))
        #expect(try !Self.admits(settings.ownAccess, [via: "1.1 a"]))
        #expect(try !Self.admits(settings.access) && !Self.admits(settings.ownAccess))
    }

    @Test(
        arguments: [
            (["admin": "local", "admin-token": "12345678"], "and an --admin-token is set: leave one of the two out"),
            (["admin": "off", "admin-port": "0"], "and an --admin-port is set: leave one of the two out"),
            (["admin": "local", "host": "0.0.0.0"], "which takes a --host of this machine alone, such as 127.0.0.1"),
            (["admin": "local", "trusted-proxies": "10.0.0.1"], "which takes a --host of this machine alone"),
            (["admin": "local", "proxy-protocol": "127.0.0.1"], "which takes a --host of this machine alone"),
            (["admin": "local", "admin-port": "0", "admin-host": "0.0.0.0"], "which takes an --admin-host of this"),
        ]
    )
    func `Settings that contradict each other are named`(options: [String: String], message: String) async throws {
        let sources = try Self.sources(options)
        let error = try #require(throws: SettingError.self) { _ = try DemoServer.serviceSettings(sources) }
        #expect(error.description.hasPrefix("--admin is '\(options["admin"] ?? "")', \(message)"), "\(error)")
    }
}
