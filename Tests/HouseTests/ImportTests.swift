import Testing

/// Data flows one way: socket, codec, router, handler, page, bytes. Each module may import what is listed here.
@Suite(.timeLimit(.minutes(5))) struct ImportTests {
    private static let system: Set<String> = ["Glibc", "Musl", "Darwin"]

    private static let allowed: [String: Set<String>] = [
        "BacklotHTTP": [
            "BacklotJSON", "CLinux", "CNGHTTP2", "COpenSSL", "CZlib", "Dispatch", "HTTPTypes", "Logging",
            "ServiceLifecycle", "Synchronization",
        ],
        "BacklotJSON": [],
        "Backlot": [
            "BacklotHTTP", "BacklotJSON", "CLinux", "CPCRE2", "CoreMetrics", "Dispatch",
            "FoundationEssentials", "HTTPTypes", "Logging", "Synchronization", "Tracing",
        ],
        "A2UI": ["Backlot", "BacklotJSON"],
        "A2UIConformance": ["A2UI", "Backlot"],
        "A2UIServing": ["A2UI", "Backlot", "BacklotJSON", "Logging"],
        "Applin": ["Backlot", "BacklotJSON", "FoundationEssentials", "Logging", "Synchronization"],
        "BacklotMocks": [
            "Backlot", "BacklotHTTP", "BacklotJSON", "CInotify", "CLibXML2", "CYAML", "FoundationEssentials",
            "HTTPTypes",
            "Logging", "Synchronization",
        ],
        "BacklotRecording": [
            "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "FoundationEssentials", "HTTPTypes", "Logging",
            "Synchronization",
        ],
        "BacklotPreview": [
            "Backlot", "BacklotHTTP", "BacklotJSON", "CPreviewFiles", "CQREncode", "FoundationEssentials", "HTTPTypes",
            "Synchronization",
        ],
        "BacklotPostgreSQL": ["Backlot", "CPostgreSQL", "Dispatch", "Logging"],
        "BacklotRedis": ["Backlot", "CHiredis", "Dispatch", "FoundationEssentials", "Logging"],
        "BacklotDatabase": ["BacklotHTTP", "CSQLite", "Dispatch", "Synchronization"],
        "BacklotSQLite": ["Backlot", "BacklotDatabase", "Dispatch", "FoundationEssentials", "Logging"],
        "BacklotClients": [
            "A2UI", "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "DynamicViews", "Floki", "FoundationEssentials",
            "HTTPTypes", "Logging", "Xpedite",
        ],
        "BacklotChecks": [
            "Backlot", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording",
            "FoundationEssentials", "HTTPTypes",
        ],
        "BacklotLoad": [
            "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotRecording",
            "FoundationEssentials", "HTTPTypes", "Histogram",
        ],
        "BacklotOTLP": [
            "Backlot", "BacklotHTTP", "BacklotJSON", "CoreMetrics", "FoundationEssentials", "HTTPTypes", "Logging",
            "ServiceLifecycle", "Tracing",
        ],
        "BacklotTesting": ["Backlot", "BacklotClients", "FoundationEssentials", "Logging"],
        "BacklotService": [
            "ArgumentParser", "Backlot", "BacklotHTTP", "BacklotOTLP", "BacklotPreview",
            "FoundationEssentials",
            "Logging", "Synchronization",
        ],
        "DynamicViews": ["Backlot", "BacklotJSON", "FoundationEssentials", "Logging"],
        "Xpedite": ["Backlot", "BacklotJSON", "FoundationEssentials", "Logging"],
        "Floki": ["Backlot", "BacklotJSON", "CoreMetrics", "FoundationEssentials", "Logging"],
        "FlokiPostgreSQL": ["Backlot", "BacklotPostgreSQL", "Floki", "Logging", "Synchronization"],
        "FlokiSQLite": [
            "Backlot", "BacklotDatabase", "Dispatch", "Floki", "FoundationEssentials", "Logging", "Synchronization",
        ],
        "demo-server": [
            "A2UI", "A2UIConformance", "A2UIServing", "Applin", "ArgumentParser", "Backlot", "BacklotChecks",
            "BacklotClients",
            "BacklotJSON",
            "BacklotLoad",
            "BacklotMocks", "BacklotPostgreSQL", "BacklotPreview", "BacklotRecording", "BacklotRedis", "BacklotSQLite",
            "BacklotService", "CDemoFiles", "Dispatch", "DynamicViews",
            "Floki", "FlokiPostgreSQL", "FlokiSQLite", "FoundationEssentials", "Logging", "Synchronization", "Xpedite",
        ],
    ]

    /// The modules that talk to the system themselves.
    private static let nearTheSystem: Set<String> = [
        "BacklotDatabase", "BacklotHTTP", "Backlot", "BacklotMocks", "BacklotPostgreSQL", "BacklotRedis",
        "BacklotSQLite",
        "BacklotService",
        "demo-server",
    ]

    @Test(arguments: allowed.keys.sorted())
    func `A module imports only what it may`(module: String) throws {
        let files = try Repository.swiftFiles(in: "Sources/\(module)")
        #expect(!files.isEmpty)
        let allowed = try #require(Self.allowed[module])
            .union(Self.nearTheSystem.contains(module) ? Self.system : [])
        for file in files {
            let text = try Repository.text(file)
            var imports = Self.imports(in: text)
            // All of Foundation brings ICU. Modules import it only where FoundationEssentials is missing, as on Darwin.
            if text.contains("#if canImport(FoundationEssentials)") { imports.remove("Foundation") }
            #expect(imports.subtracting(allowed).isEmpty, "\(file)")
        }
    }

    @Test func `Every module is in the table`() throws {
        let modules = try Repository.swiftFiles(in: "Sources").map { $0.split(separator: "/")[1] }
        #expect(Set(modules.map(String.init)) == Set(Self.allowed.keys))
    }

    private static func imports(in text: String) -> Set<String> {
        let modifiers: Set<Substring> = [
            "public", "package", "internal", "@_exported", "@testable", "private", "fileprivate",
        ]
        let names = text.split(separator: "\n").compactMap { line -> String? in
            // Those of programs in texts are indented.
            guard line.first != " " else { return nil }
            let words = line.split(separator: " ").drop { modifiers.contains($0) }
            guard words.first == "import" else { return nil }
            // `import enum Backlot.ListBuilder` is an import of Backlot.
            let name = words.dropFirst().first { !["enum", "struct", "class", "protocol", "func"].contains($0) }
            return name?.split(separator: ".").first.map(String.init)
        }
        return Set(names)
    }
}
