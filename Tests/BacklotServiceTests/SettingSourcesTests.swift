import Backlot
import TestSupport
import Testing

@testable import BacklotService

/// Where a setting is found, and what is said of names that are none.
@Suite(.timeLimit(.minutes(1))) struct SettingSourcesTests {
    private static let settings = ServiceSetting.all(stores: [.memory])

    private static func sources(
        _ options: [String: String] = [:],
        _ environment: [String: String] = [:],
        file: String = "/nowhere/.env"
    ) throws -> SettingSources {
        try SettingSources(options: options, environment: environment, file: file)
    }

    @Test(
        arguments: [
            (["BACKLOT_PORT": "1", "PORT": "2"], "PORT=3", "1", "BACKLOT_PORT in the environment"),
            (["PORT": "2"], "BACKLOT_PORT=3", "2", "PORT in the environment"),
            ([:], "PORT=4\nBACKLOT_PORT=3", "3", "BACKLOT_PORT in .env"),
            (["PORT": "", "BACKLOT_PORT": ""], "PORT='5'", "5", "PORT in .env"),
            (["PORT": "tcp://10.0.0.7:80"], "", "8080", "default"),
            (["PORT": "tcp://10.0.0.7:80"], "PORT=6", "6", "PORT in .env"),
        ] as [([String: String], String, String, String)]
    )
    func `The prefix wins within a source`(
        environment: [String: String],
        file: String,
        text: String,
        place: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let found = try Self.sources([:], environment, file: try folder.write(file, to: ".env")).text(
                ServiceSetting.port
            )
            #expect(found?.text == text)
            #expect(found?.origin == place)
        }
    }

    @Test func `A secret may stand in a file`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("open-sesame-7\n", to: "token")
            let found = try #require(try Self.sources([:], ["ADMIN_TOKEN_FILE": file]).text(ServiceSetting.adminToken))
            #expect(found.text == "open-sesame-7")
            #expect(found.origin == "ADMIN_TOKEN_FILE in the environment")
            let missing = try Self.sources([:], ["BACKLOT_ADMIN_TOKEN_FILE": "/nowhere/token"])
            #expect(
                try Self.failure(missing, ServiceSetting.adminToken).hasPrefix(
                    "BACKLOT_ADMIN_TOKEN_FILE in the environment is '/nowhere/token': there is no such file"
                )
            )
            let both = try Self.sources([:], ["ADMIN_TOKEN_FILE": file, "ADMIN_TOKEN": "12345678"])
            #expect(
                try Self.failure(both, ServiceSetting.adminToken).hasSuffix("are both set: leave one of the two out.")
            )
            // Only secrets have such a file.
            #expect(try Self.sources([:], ["LOG_LEVEL_FILE": file]).text(ServiceSetting.logLevel)?.isDefault == true)
        }
    }

    @Test func `systemd's credentials count before .env`() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("from-systemd\n", to: "credentials/admin-token")
            let file = try folder.write("ADMIN_TOKEN=from-the-file", to: ".env")
            let environment = ["CREDENTIALS_DIRECTORY": "\(folder.path)/credentials"]
            let found = try Self.sources([:], environment, file: file).text(ServiceSetting.adminToken)
            #expect(found?.text == "from-systemd")
            #expect(found?.origin == "the credential admin-token")
        }
    }

    private static func failure<Value>(_ sources: SettingSources, _ setting: Setting<Value>) throws -> String {
        try #require(throws: SettingError.self) { try sources.value(setting) }.description
    }

    @Test(
        arguments: [
            ([:], "PORT=1\nADMIN_TOKEN_FILE=x\nBACKLOT_HOST=::1\nOTEL_SERVICE_NAME=a", []),
            (
                [:], "DRAIN_DELAI=1",
                ["line 1 of .env sets DRAIN_DELAI, which is not a setting of this program; did you mean 'DRAIN_DELAY'?"]
            ),
            ([:], "QUITE_ELSE=1", ["line 1 of .env sets QUITE_ELSE, which is not a setting of this program."]),
            ([:], "PORT=1\n\nPORT=2", ["line 3 of .env sets PORT once more: it counts instead of line 1."]),
            (
                ["BACKLOT_PROT": "1", "PROT": "1"], "",
                ["BACKLOT_PROT in the environment is not a setting of this program; did you mean 'BACKLOT_PORT'?"]
            ),
            (
                ["ADMIN_PORT": "tcp://10.0.0.7:80"], "",
                [
                    "ADMIN_PORT in the environment is 'tcp://10.0.0.7:80', another program's value, and is ignored: to set it, write BACKLOT_ADMIN_PORT."
                ]
            ),
        ] as [([String: String], String, [String])]
    )
    func `Names that nothing reads are told`(
        environment: [String: String],
        file: String,
        warnings: [String]
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = try folder.write(file, to: ".env")
            let found = try Self.sources([:], environment, file: path).warnings(Self.settings)
            #expect(found.map { $0.replacing(path, with: ".env") } == warnings)
        }
    }

    @Test func `With the prefix, another program's value is a mistake`() throws {
        let sources = try Self.sources([:], ["BACKLOT_ADMIN_PORT": "tcp://10.0.0.7:80"])
        #expect(throws: SettingError.self) { try sources.value(ServiceSetting.adminPort) }
    }

    // MARK: Limits

    @Test(
        arguments: [
            ("max-body", "0", \.limits.body, 0), ("max-body", "1500000", \.limits.body, 1_500_000),
            ("max-body", "64KiB", \.limits.body, 65_536), ("buffered-bytes", "2GiB", \.limits.bufferedBytes, 2 << 30),
            ("max-connections", "7", \.limits.connections, 7), ("max-requests", "8", \.limits.requestsInFlight, 8),
        ] as [(String, String, any KeyPath<ServerConfiguration, Int> & Sendable, Int)]
    )
    func `A limit is the server's`(
        name: String,
        text: String,
        path: any KeyPath<ServerConfiguration, Int> & Sendable,
        value: Int
    ) throws {
        #expect(try Self.configuration([name: text])[keyPath: path] == value)
    }

    @Test(
        arguments: [
            ("head-timeout", \.timeouts.head), ("body-timeout", \.timeouts.body), ("idle-timeout", \.timeouts.idle),
            ("write-timeout", \.timeouts.write), ("drain-idle", \.timeouts.drainIdle),
            ("drain-timeout", \.timeouts.drain),
        ] as [(String, any KeyPath<ServerConfiguration, Duration> & Sendable)]
    )
    func `A timeout is the server's`(name: String, path: any KeyPath<ServerConfiguration, Duration> & Sendable) throws {
        #expect(try Self.configuration([name: "1.5"])[keyPath: path] == .seconds(1.5))
        #expect(try Self.configuration([:])[keyPath: path] == ServerConfiguration()[keyPath: path])
        for wrong in ["0", "3601", "soon", ""] {
            let error = try #require(throws: SettingError.self) { try Self.configuration([name: wrong]) }
            #expect(error.description == "--\(name) is '\(wrong)': write a number of seconds from 0.1 to 3600.")
        }
    }

    @Test(
        arguments: [
            ("max-body", "-1"), ("max-body", "1kb"), ("max-body", "2TiB"), ("max-body", "9999999TiB"),
            ("max-body", "-1KiB"), ("buffered-bytes", "1KiB"), ("max-connections", "0"), ("max-requests", "1000001"),
            ("max-connections-per-address", "0"), ("proxy-protocol", "lb"), ("proxy-protocol", ""),
        ]
    )
    func `A limit out of its bounds is a mistake`(name: String, text: String) throws {
        let error = try #require(throws: SettingError.self) { try Self.configuration([name: text]) }
        #expect(error.description.hasPrefix("--\(name) is '\(text)': write "), "\(error)")
    }

    @Test func `Settings of addresses and ranges are read`() throws {
        let configuration = try Self.configuration([
            "max-connections-per-address": "9", "proxy-protocol": "10.0.0.0/8,::1",
        ])
        #expect(configuration.limits.connectionsPerAddress == 9)
        #expect(configuration.proxyProtocolSources.count == 2)
        #expect(try Self.configuration([:]).limits.connectionsPerAddress == nil)
    }

    private static func configuration(_ options: [String: String]) throws -> ServerConfiguration {
        try ServiceSettings(name: "clinic", stores: [.memory], try sources(options), isTerminal: false).configuration
    }

    @Test(
        arguments: [
            (["admin-port": "8080"], "--admin-port is '8080', where the server listens already: write another port."),
            (
                ["admin-host": "::1"],
                "--admin-host is '::1', but there is no separate port: set an --admin-port, too."
            ),
            (
                ["client-certificates": "a.pem"],
                "--client-certificates is 'a.pem', but the server doesn't speak https: set --tls-self-signed, or"
            ),
            (["access-log": "loud"], "--access-log is 'loud': write on, or off to log only requests that fail."),
        ]
    )
    func `Settings that contradict each other are named`(options: [String: String], message: String) throws {
        let error = try #require(throws: SettingError.self) { try Self.configuration(options) }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    /// A wrong value of each setting. An empty text is one of an option alone: in the environment, it means that nothing is set.
    private static let wrong = [
        "host": "nowhere", "port": "65536", "tls-cert": "", "tls-key": "", "tls-self-signed": "maybe",
        "redirect-to-https": "http",
        "client-certificates": "", "admin": "all", "admin-host": "nowhere", "admin-port": "-1", "admin-token": "short",
        "trusted-proxies": "lb", "cors": "*.example.com", "sessions": "mongo:x", "drain-delay": "-1",
        "ready-grace": "soon",
        "log-level": "loud", "log-format": "xml", "access-log": "maybe", "max-body": "1kb", "buffered-bytes": "0",
        "max-connections": "0", "max-connections-per-address": "all", "max-requests": "1.5", "head-timeout": "0",
        "body-timeout": "1h", "idle-timeout": "never", "write-timeout": "3601", "drain-idle": "-0.1",
        "drain-timeout": "x",
        "proxy-protocol": "v2",
    ]

    @Test(arguments: ServiceSetting.all(stores: [.memory]).map(\.name))
    func `A wrong value is one line that says which setting, where it is from, and what is allowed`(
        name: String
    ) async throws {
        let setting = try #require(ServiceSetting.all(stores: [.memory]).first { $0.name == name })
        let text = try #require(Self.wrong[name], "a new setting needs a wrong value here")
        let variable = name.replacing("-", with: "_").uppercased()
        try await withTemporaryFolder { folder in
            let file = try folder.write("\(variable)=\(text)", to: ".env")
            var sources = [("--\(name)", try Self.sources([name: text]))]
            if !text.isEmpty {
                sources.append(("\(variable) in the environment", try Self.sources([:], [variable: text])))
                sources.append(
                    ("BACKLOT_\(variable) in the environment", try Self.sources([:], ["BACKLOT_\(variable)": text]))
                )
                sources.append(("\(variable) in .env", try Self.sources([:], file: file)))
            }
            for (place, sources) in sources {
                let error = try #require(throws: SettingError.self) {
                    try ServiceSettings(name: "clinic", stores: [.memory], sources, isTerminal: false)
                }
                let shown = setting.isSecret ? " is wrong" : " is '\(text)'"
                let problem = name == "sessions" ? ": unknown store 'mongo'" : shown
                #expect(error.description == "\(place)\(problem): write \(setting.allowed).")
            }
        }
    }

    @Test func `Every limit has an option`() throws {
        let arguments = LimitSetting.all.flatMap { ["--\($0.setting.name)", "7"] }
        let given = try LimitOptions.parse(arguments).given
        #expect(given == Dictionary(uniqueKeysWithValues: LimitSetting.all.map { ($0.setting.name, "7") }))
        #expect(try LimitOptions.parse([]).given.isEmpty)
    }

    @Test(arguments: [(0, "0"), (1023, "1023"), (1024, "1KiB"), (3 << 20, "3MiB"), (1 << 40, "1TiB")])
    func `Bytes are shown with the largest whole unit`(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
        #expect(ByteCount.bytes(text) == bytes)
    }
}
