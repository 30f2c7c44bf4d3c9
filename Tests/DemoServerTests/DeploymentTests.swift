import ArgumentParser
import BacklotJSON
import Foundation
import Testing

@testable import BacklotMocks
@testable import BacklotService
@testable import demo_server

/// The files that say how demo-server is deployed: what they name must be there. That they work is tried by `make try-image`,
/// and by the replicas' test.
@Suite(.timeLimit(.minutes(5))) struct DeploymentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The instructions of the Dockerfile, with continued lines put together.
    private static func instructions() throws -> [(name: String, rest: String)] {
        try text("Dockerfile").replacing("\\\n", with: " ").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let name = line.prefix { $0 != " " }
                return (String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
            }
    }

    private static func documents(_ path: String) throws -> [[String: Any]] {
        // Documents are told apart by lines of three hyphens.
        try text(path).split(separator: /^---$/.anchorsMatchLineEndings()).compactMap { text in
            let value = try YAMLDocument(String(text), file: path).value
            return try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed)
                as? [String: Any]
        }
    }

    /// Whether demo-server takes these arguments.
    private static func check(_ arguments: [String], _ source: SourceLocation = #_sourceLocation) async throws {
        #expect(arguments.first == "serve", sourceLocation: source)
        let command = try ServeCommand<DemoServer>.parse(Array(arguments.dropFirst()))
        let options: [any SettingOptions] = [command.app, command.options]
        let sources = try SettingSources(options: options.given, environment: [:], file: "/nowhere/.env")
        _ = try DemoServer.serviceSettings(sources)
    }

    @Test func `The Dockerfile says what an orchestrator must know`() throws {
        let instructions = try Self.instructions()
        func last(_ name: String) -> String? { instructions.last { $0.name == name }?.rest }
        #expect(instructions.filter { $0.name == "FROM" }.count == 2)
        #expect(last("ENTRYPOINT") == #"["demo-server"]"#)
        #expect(last("CMD") == #"["serve"]"#)
        #expect(last("HEALTHCHECK")?.hasSuffix(#"CMD ["demo-server", "health"]"#) == true)
        #expect(last("USER")?.wholeMatch(of: /[1-9]\d*:[1-9]\d*/) != nil)
        #expect(last("EXPOSE") == "8080")
        let environment = try #require(last("ENV")).split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        let variables = Set(DemoServer.allSettings.map(\.variable))
        for pair in environment {
            #expect(variables.contains(String(pair[0])), "\(pair)")
            let setting = try #require(DemoServer.allSettings.first { $0.variable == pair[0] })
            #expect(setting.accepts(String(pair[1])), "\(pair)")
        }
        #expect(environment.contains(["HOST", "0.0.0.0"]) && environment.contains(["PORT", "8080"]))
    }

    @Test func `The image has what the program needs, and is built with what the Makefile asks for`() throws {
        let stages = try Self.text("Dockerfile").components(separatedBy: "\nFROM ")
        let makefile = try Self.text("Makefile")
        let needed = try #require(makefile.firstMatch(of: /\nPACKAGES := (.*)\n/)?.output.1).split(separator: " ")
        for package in needed where package.hasPrefix("lib") && package != "libc6-dev" || package == "zlib1g-dev" {
            #expect(stages[1].contains(package), "\(package) is missing in the build stage")
        }
        for package in needed where package.hasPrefix("lib") && package.hasSuffix("-dev") && package != "libc6-dev" {
            let stem = try #require(package.firstMatch(of: /^(lib\w+?)\d*-dev$/)?.output.1)
            #expect(stages[2].contains(" \(stem)"), "\(package) has no library in the stage that runs")
        }
    }

    @Test func `The unit of systemd and its file of settings name settings that there are`() throws {
        let lines = try Self.text(".ci/deb/demo-server.service").split(separator: "\n")
        #expect(lines.contains("ExecStart=/usr/bin/demo-server serve"))
        var pairs = lines.filter { $0.hasPrefix("Environment=") }.map { $0.dropFirst("Environment=".count) }
        pairs += try Self.text(".ci/deb/demo-server.default").split(separator: "\n").filter { $0.contains("=") }
            .map { $0.dropFirst() }
        #expect(pairs.count == 5)
        // The folder for state is the system's variable.
        for pair in pairs where !pair.hasPrefix("XDG_STATE_HOME=/") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            let setting = try #require(DemoServer.allSettings.first { $0.variable == parts[0] }, "\(pair)")
            #expect(setting.accepts(parts[1]), "\(pair)")
        }
    }

    @Test func `The example of UI tests starts mocks with options that there are`() throws {
        let compose = try #require(try Self.documents("Examples/UITests/compose.yaml").first)
        let mocks = try #require((compose["services"] as? [String: [String: Any]])?["mocks"])
        let command = try #require(mocks["command"] as? [String])
        #expect(command.first == "mock")
        _ = try Mock.parse(Array(command.dropFirst()))
        let workflow = try #require(try Self.documents("Examples/UITests/ui-tests.yml").first)
        let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
        let steps = try #require(jobs["ui-tests"]?["steps"] as? [[String: Any]])
        let commands = steps.compactMap { $0["run"] as? String }.flatMap {
            $0.replacing("\\\n", with: " ").split(separator: "\n")
        }
        let ours = commands.compactMap { line in
            line.range(of: "\"$BACKLOT_IMAGE\" ").map { line[$0.upperBound...].replacing("\"", with: "") }
        }
        #expect(ours.count == 2)
        for line in ours {
            let arguments = line.split(separator: " ").map(String.init)
            _ = try DemoServer.Command.parseAsRoot(arguments)
        }
    }

    @Test func `The manifests of Kubernetes name options and probes that there are`() async throws {
        let documents = try Self.documents("Examples/Kubernetes/backlot.yaml")
        let deployment = try #require(documents.first { $0["kind"] as? String == "Deployment" })
        let spec = try #require(deployment["spec"] as? [String: Any])
        #expect(spec["replicas"] as? Int == 2)
        let template = try #require(spec["template"] as? [String: Any])
        let pod = try #require(template["spec"] as? [String: Any])
        let container = try #require((pod["containers"] as? [[String: Any]])?.first)
        try await Self.check(try #require(container["args"] as? [String]))
        let variables = Set(DemoServer.allSettings.map(\.variable))
        for variable in try #require(container["env"] as? [[String: Any]]) {
            #expect(variables.contains(try #require(variable["name"] as? String)))
        }
        let probes = [("livenessProbe", "/healthz"), ("readinessProbe", "/readyz"), ("startupProbe", "/healthz")]
        for (probe, path) in probes {
            let get = (container[probe] as? [String: Any])?["httpGet"] as? [String: Any]
            #expect(get?["path"] as? String == path)
        }
        #expect((container["resources"] as? [String: Any])?["limits"] != nil)
        let security = try #require(container["securityContext"] as? [String: Any])
        #expect(security["readOnlyRootFilesystem"] as? Bool == true)
        // The address of the Redis is one that demo-server takes.
        let secret = documents.first { $0["kind"] as? String == "Secret" }
        let strings = try #require(secret?["stringData"] as? [String: String])
        #expect(ServiceSetting.sessions(DemoServer.sessionStores).accepts(try #require(strings["sessions"])))
        #expect(try Self.documents("Examples/Kubernetes/redis.yaml").count == 2)
    }

    @Test func `compose.yaml starts two replicas with options that there are`() async throws {
        let compose = try #require(try Self.documents("compose.yaml").first)
        let services = try #require(compose["services"] as? [String: [String: Any]])
        for name in ["replica1", "replica2"] {
            let replica = try #require(services[name])
            let command = try #require(replica["command"] as? [String])
            try await Self.check(command)
            #expect(command.contains("--drain-delay"))
            #expect(replica["read_only"] as? Bool == true)
        }
        #expect(services["nginx"] != nil && services["redis"] != nil)
    }
}
