// swift-tools-version: 6.3
import PackageDescription

/// Every target is built with the same strictness; see CONTRIBUTING.md, "House rules".
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// A product of the same name.
func library(_ module: String) -> Product { .library(name: module, targets: [module]) }

/// The module of a C library that is installed on the system.
func system(_ name: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
    let providers: [SystemPackageProvider] = [apt.map { .apt([$0]) }, brew.map { .brew([$0]) }].compactMap { $0 }
    return .systemLibrary(name: name, pkgConfig: pkgConfig, providers: providers.isEmpty ? nil : providers)
}

/// A module in Sources, or in the folder `path`.
func module(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

/// A program in Sources, or in the folder `path`.
func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

/// A target of tests in Tests, or in the folder `path`.
func tests(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

// Products of other packages.
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["Service"])
)
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let histogram = Target.Dependency.product(
    name: "Histogram",
    package: "hdrhistogram-swift",
    condition: .when(traits: ["Service"])
)
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let inMemoryTracing = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")

let package = Package(
    name: "backlot",
    platforms: [.macOS(.v26)],
    products: [
        library("Backlot"),
        library("BacklotHTTP"),
        library("BacklotJSON"),
        library("BacklotOTLP"),
        library("BacklotService"),
        library("A2UI"),
        library("A2UIServing"),
        library("Applin"),
        library("DynamicViews"),
        library("Floki"),
        library("Xpedite"),
        library("BacklotPostgreSQL"),
        library("BacklotRedis"),
        library("BacklotSQLite"),
        library("FlokiPostgreSQL"),
        library("FlokiSQLite"),
        library("BacklotMocks"),
        library("BacklotRecording"),
        library("BacklotChecks"),
        library("BacklotClients"),
        library("BacklotLoad"),
        library("BacklotPreview"),
        library("BacklotTesting"),
        .executable(name: "demo-server", targets: ["demo-server"]),
    ],
    traits: [
        .trait(
            name: "Service",
            description: "BacklotService and BacklotLoad, and with them swift-argument-parser and hdrhistogram-swift."
        ),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift.git", from: "0.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // C libraries.
        system(
            "CHiredis",
            // Debian's would say no more than where the library is anyway, and a flag that SwiftPM warns of.
            pkgConfig: Context.environment["HOMEBREW_PREFIX"] == nil ? nil : "hiredis",
            apt: "libhiredis-dev",
            brew: "hiredis"
        ),
        system("CInotify"),
        system("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        system("CLinux"),
        system("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
        system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
        system("CPCRE2", pkgConfig: "libpcre2-8", apt: "libpcre2-dev", brew: "pcre2"),
        system("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
        system("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),

        // Files that are compiled in.
        .target(
            name: "CDemoFiles",
            cSettings: [
                .define("BACKLOT_COMMIT", to: "\"\(Context.gitInformation?.currentCommit.prefix(12) ?? "unknown")\"")
            ]
        ),
        .target(name: "CPreviewFiles", exclude: ["generate"]),

        // The server and the framework.
        module("BacklotJSON"),
        module(
            "BacklotHTTP",
            ["BacklotJSON", "CLinux", "CNGHTTP2", "COpenSSL", "CZlib", httpTypes, logging, serviceLifecycle]
        ),
        module("Backlot", ["BacklotHTTP", "BacklotJSON", "CPCRE2", coreMetrics, httpTypes, logging, tracing]),
        module(
            "BacklotOTLP",
            ["Backlot", "BacklotHTTP", "BacklotJSON", coreMetrics, httpTypes, logging, serviceLifecycle, tracing]
        ),
        module("BacklotService", ["Backlot", "BacklotHTTP", "BacklotOTLP", "BacklotPreview", argumentParser, logging]),

        // Protocols.
        module("A2UI", ["Backlot", "BacklotJSON"]),
        module("A2UIServing", ["A2UI", "Backlot", "BacklotJSON", logging]),
        module("A2UIConformance", ["A2UI", "Backlot"]),
        module("Applin", ["Backlot", "BacklotJSON"]),
        module("DynamicViews", ["Backlot", "BacklotJSON", logging]),
        module("Floki", ["Backlot", "BacklotJSON", coreMetrics, logging]),
        module("Xpedite", ["Backlot", "BacklotJSON", logging]),

        // Stores.
        module("BacklotDatabase", ["BacklotHTTP", "CSQLite"]),
        module("BacklotPostgreSQL", ["Backlot", "CPostgreSQL", logging]),
        module("BacklotRedis", ["Backlot", "CHiredis", logging]),
        module("BacklotSQLite", ["Backlot", "BacklotDatabase", logging]),
        module("FlokiPostgreSQL", ["Backlot", "BacklotPostgreSQL", "Floki", logging]),
        module("FlokiSQLite", ["Backlot", "BacklotDatabase", "Floki", logging]),

        // Mocks.
        module(
            "BacklotMocks",
            ["Backlot", "BacklotHTTP", "BacklotJSON", "CInotify", "CLibXML2", "CYAML", httpTypes, logging]
        ),
        module("BacklotRecording", ["Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", httpTypes, logging]),

        // Tools.
        module(
            "BacklotClients",
            [
                "A2UI", "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "DynamicViews", "Floki", "Xpedite",
                httpTypes, logging,
            ]
        ),
        module(
            "BacklotChecks",
            [
                "Backlot", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording",
                httpTypes,
            ]
        ),
        module(
            "BacklotLoad",
            [
                "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotRecording",
                histogram, httpTypes,
            ]
        ),
        module(
            "BacklotPreview",
            ["Backlot", "BacklotHTTP", "BacklotJSON", "CPreviewFiles", "CQREncode", httpTypes],
            exclude: ["Web"]
        ),
        module("BacklotTesting", ["Backlot", "BacklotClients", logging]),

        // Programs.
        program(
            "demo-server",
            [
                "A2UI", "A2UIConformance", "A2UIServing", "Applin", "Backlot", "BacklotChecks", "BacklotClients",
                "BacklotJSON", "BacklotLoad", "BacklotMocks", "BacklotPostgreSQL", "BacklotPreview",
                "BacklotRecording", "BacklotRedis", "BacklotSQLite", "BacklotService", "CDemoFiles", "DynamicViews",
                "Floki", "FlokiPostgreSQL", "FlokiSQLite", "Xpedite", argumentParser, logging,
            ],
            exclude: ["Files"]
        ),
        program("echo-server", ["Backlot", argumentParser, logging], path: "Examples/Echo"),
        program("feed-writer", ["Floki", "FlokiSQLite"], path: "Tests/FeedWriter"),
        program("otlp-clinic", ["Backlot", "BacklotOTLP", logging, tracing], path: "Tests/OpenTelemetry/Clinic"),
        program(
            "replica-flow",
            ["BacklotHTTP", "BacklotJSON", "BacklotTesting", httpTypes],
            path: "Tests/Replicas/Flow"
        ),
        program("stuck-server", ["BacklotHTTP", logging], path: "Tests/StuckServer"),

        // Tests.
        module("TestSupport", ["BacklotHTTP", "COpenSSL", httpTypes, logging], path: "Tests/TestSupport"),
        module("ClientTestSupport", ["Backlot", "BacklotClients", httpTypes], path: "Tests/ClientTestSupport"),
        tests(
            "A2UITests",
            ["A2UI", "A2UIConformance", "A2UIServing", "Backlot", "BacklotJSON", "BacklotTesting", "TestSupport"]
        ),
        tests(
            "ApplinTests",
            ["Applin", "Backlot", "BacklotJSON", "TestSupport"],
            exclude: ["Rules/released-clients.txt", "SwiftSource/pages.jsonl"]
        ),
        tests(
            "BacklotChecksTests",
            [
                "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotMocks",
                "BacklotRecording", "BacklotTesting", "ClientTestSupport", "DynamicViews", "Floki", "TestSupport",
                "Xpedite", httpTypes,
            ]
        ),
        tests(
            "BacklotClientsTests",
            [
                "A2UI", "A2UIServing", "Applin", "Backlot", "BacklotClients", "BacklotHTTP", "BacklotJSON",
                "BacklotTesting", "ClientTestSupport", "TestSupport", httpTypes,
            ]
        ),
        tests("BacklotDatabaseTests", ["BacklotDatabase", "TestSupport"]),
        tests("BacklotHTTPTests", ["BacklotHTTP", "CLinux", "TestSupport", httpTypes, logging]),
        tests("BacklotJSONTests", ["BacklotJSON"]),
        tests(
            "BacklotLoadTests",
            [
                "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotLoad",
                "BacklotMocks", "BacklotRecording", "TestSupport", httpTypes,
            ]
        ),
        tests(
            "BacklotMocksTests",
            [
                "A2UI", "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON",
                "BacklotMocks", "BacklotRecording", "DynamicViews", "Floki", "TestSupport", "Xpedite", httpTypes,
                logging,
            ],
            exclude: ["Gym", "WireMock/behaviour.jsonl", "WireMock/stubs.jsonl"]
        ),
        tests(
            "BacklotOTLPTests",
            [
                "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotOTLP", "TestSupport", coreMetrics, httpTypes, logging,
                serviceLifecycle, tracing,
            ]
        ),
        tests(
            "BacklotPostgreSQLTests",
            ["Backlot", "BacklotHTTP", "BacklotPostgreSQL", "CPostgreSQL", "TestSupport", logging]
        ),
        tests(
            "BacklotPreviewTests",
            ["Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotPreview", "TestSupport", httpTypes]
        ),
        tests(
            "BacklotRecordingTests",
            [
                "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording", "TestSupport",
                httpTypes, logging,
            ]
        ),
        tests(
            "BacklotServiceTests",
            ["Backlot", "BacklotHTTP", "BacklotPreview", "BacklotService", "TestSupport", argumentParser]
        ),
        tests("BacklotTestingTests", ["Applin", "Backlot", "BacklotTesting"]),
        tests(
            "BacklotTests",
            [
                "Backlot", "BacklotHTTP", "BacklotJSON", "TestSupport", coreMetrics, httpTypes, inMemoryTracing,
                logging, tracing,
            ]
        ),
        tests(
            "DemoServerTests",
            [
                "A2UI", "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotDatabase", "BacklotHTTP",
                "BacklotJSON", "BacklotMocks", "BacklotPostgreSQL", "BacklotRecording", "BacklotRedis",
                "BacklotSQLite", "BacklotService", "BacklotTesting", "DynamicViews", "Floki", "FlokiSQLite",
                "TestSupport", "Xpedite", "demo-server", argumentParser,
            ],
            exclude: ["Recorded/Routes"]
        ),
        tests(
            "DocumentationTests",
            [
                "A2UI", "A2UIServing", "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotLoad",
                "BacklotMocks", "BacklotOTLP", "BacklotPostgreSQL", "BacklotPreview", "BacklotRecording",
                "BacklotRedis", "BacklotSQLite", "BacklotService", "BacklotTesting", "DynamicViews", "Floki",
                "FlokiPostgreSQL", "FlokiSQLite", "TestSupport", "Xpedite", coreMetrics,
            ],
            exclude: ["Greeting/Package.swift", "Greeting/Sources/Greeting/main.swift"]
        ),
        tests(
            "DynamicViewsTests",
            ["Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "DynamicViews", "TestSupport"]
        ),
        tests("EchoServerTests", ["BacklotHTTP", "TestSupport", "echo-server", "stuck-server"]),
        tests(
            "FeedStoreTests",
            [
                "Backlot", "BacklotDatabase", "BacklotHTTP", "BacklotJSON", "BacklotPostgreSQL", "BacklotTesting",
                "Floki", "FlokiPostgreSQL", "FlokiSQLite", "TestSupport", "feed-writer", httpTypes, logging,
            ]
        ),
        tests(
            "FlokiTests",
            ["Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "Floki", "TestSupport", logging]
        ),
        tests("HouseTests", exclude: ["Budgets.start.tsv", "Budgets.tsv"]),
        tests(
            "SessionStoreTests",
            [
                "Backlot", "BacklotHTTP", "BacklotPostgreSQL", "BacklotRedis", "BacklotSQLite", "TestSupport", logging,
            ]
        ),
        tests(
            "XpediteTests",
            ["Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "TestSupport", "Xpedite", logging]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer has a `main` of its own and wants every module to tell it where it has been: only `make fuzz` builds this.
let isFuzzing = Context.environment["BACKLOT_FUZZING"] != nil
let fuzzed: [Target.Dependency] = [
    "A2UI", "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording", "DynamicViews",
    "Floki", "TestSupport", "Xpedite", logging,
]
let unbuilt = ["Corpus", "Dictionaries", "README.md", "Record.tsv", "Seeds", "leaks.supp", "run"]
package.targets.append(
    isFuzzing
        ? program("fuzz", fuzzed, path: "Fuzzing", exclude: unbuilt + ["Tests"])
        : tests("FuzzTests", fuzzed, path: "Fuzzing", exclude: unbuilt + ["Driver"])
)
