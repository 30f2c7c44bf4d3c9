internal import Backlot

/// The Swift file around the steps.
extension TestSource {
    var source: String {
        let type = options.name.isSwiftIdentifier ? options.name : "RecordedTests"
        var text = """
            // swift-format-ignore-file
            // Made from a recording by demo-server. The target needs the products Applin, Backlot, BacklotMocks and BacklotTesting.
            \(Self.imports("Applin", "Backlot", "BacklotMocks", "BacklotTesting", "Testing"))

            #if canImport(FoundationEssentials)
            \(Self.imports("FoundationEssentials"))
            #else
            \(Self.imports("Foundation"))
            #endif

            /// The steps of a recorded session, and the screens that people saw.
            ///
            /// The test uses the backend with the base URL in the environment variable `BACKLOT_URL`, which must be in its state at the
            /// beginning of the recording. Without `BACKLOT_URL`, the test uses mock routes: those of the folder `BACKLOT_ROUTES`, or else
            /// of `\(options.routes.inComment)`.
            struct \(type) {

            """
        text += secretLines
        text += """
                private static let environment = ProcessInfo.processInfo.environment

                @Test func `The recorded session`() async throws {
                    try await Self.replay(on: Self.makeClient())
                }

                /// Repeats the recorded steps.
                ///
                /// - Parameter \(players.count > 1 ? "app1: a client that isn't launched; the others are its other devices." : "app: a client that isn't launched.")
                static func replay(on \(players.count > 1 ? "app1" : "app"): ApplinClient) async throws {

            """
        for number in players.indices.dropFirst() {
            text += "        let app\(number + 1) = app1.otherDevice()\n"
        }
        if lines.isEmpty {
            text += "        // The recording has no requests of an app.\n        #expect(app.stack.isEmpty)\n"
        }
        for line in lines { text += line.isEmpty ? "\n" : "        \(line)\n" }
        text += "    }\n\n" + makeClient + "}\n"
        return text
    }

    private static func imports(_ modules: String...) -> String {
        modules.map { "import \($0)" }.joined(separator: "\n")
    }

    private var secretLines: String {
        guard !secrets.isEmpty else { return "" }
        var text = """
                // The recording's pseudonyms for secrets, which mock routes accept. For a backend, put the real ones into the environment.

            """
        for secret in secrets {
            text +=
                "    private static let \(secret.name.lowerCamelCase) = environment[\("BACKLOT_\(secret.name)".swiftLiteral)] ?? \(secret.value.swiftLiteral)\n"
        }
        return text
    }

    private var makeClient: String {
        var settings: [String] = []
        if app.firstPage != "/" { settings.append("configuration.firstPage = \(app.firstPage.swiftLiteral)") }
        if !brokenRules.isEmpty {
            settings.append("// The recorded backend broke these rules.")
            settings.append("configuration.ignoredRules = [\(brokenRules.map(\.swiftLiteral).joined(separator: ", "))]")
        }
        let client = app.client.map { "client: \("\($0)".swiftLiteral), " } ?? ""
        let configuration = settings.isEmpty ? "let" : "var"
        let settingLines = settings.map { "        \($0)\n" }.joined()
        return """
                /// A client of the backend, or of the mock routes.
                static func makeClient() throws -> ApplinClient {
                    \(configuration) configuration = ApplinClientConfiguration()
            \(settingLines)        if let url = environment["BACKLOT_URL"] { return try ApplinClient(url: url, \(client)configuration: configuration) }
                    let backend = MockBackend(MockConfiguration(formats: [.applin()]))
                    try RouteFiles(environment["BACKLOT_ROUTES"] ?? \(options.routes.swiftLiteral), backend: backend).load()
                    let router = Router()
                    router.mocks(backend)
                    return try ApplinClient(router.handler(), at: \(app.base.swiftLiteral), \(client)configuration: configuration)
                }

            """
    }
}

extension String {
    /// The text for the code voice of a comment, on one line.
    var inComment: String { String(filter { !$0.isNewline && $0 != "`" }) }

    /// Whether a type can have this name.
    var isSwiftIdentifier: Bool {
        let reserved: Set<String> = ["Any", "Self", "Type", "Protocol", "_"]
        return first.map { $0.isLetter || $0 == "_" } == true && !reserved.contains(self)
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && first?.isUppercase == true
    }
}
