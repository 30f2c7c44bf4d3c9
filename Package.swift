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

let package = Package(
    name: "backlot",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Backlot", targets: ["Backlot"]),
        .library(name: "BacklotHTTP", targets: ["BacklotHTTP"]),
        .library(name: "BacklotJSON", targets: ["BacklotJSON"]),
        .library(name: "A2UI", targets: ["A2UI"]),
        .library(name: "A2UIServing", targets: ["A2UIServing"]),
        .library(name: "Applin", targets: ["Applin"]),
        .library(name: "BacklotMocks", targets: ["BacklotMocks"]),
        .library(name: "BacklotRecording", targets: ["BacklotRecording"]),
        .library(name: "BacklotOTLP", targets: ["BacklotOTLP"]),
        .library(name: "BacklotPostgreSQL", targets: ["BacklotPostgreSQL"]),
        .library(name: "BacklotPreview", targets: ["BacklotPreview"]),
        .library(name: "BacklotRedis", targets: ["BacklotRedis"]),
        .library(name: "BacklotSQLite", targets: ["BacklotSQLite"]),
        .library(name: "BacklotChecks", targets: ["BacklotChecks"]),
        .library(name: "BacklotClients", targets: ["BacklotClients"]),
        .library(name: "BacklotLoad", targets: ["BacklotLoad"]),
        .library(name: "BacklotService", targets: ["BacklotService"]),
        .library(name: "BacklotTesting", targets: ["BacklotTesting"]),
        .library(name: "DynamicViews", targets: ["DynamicViews"]),
        .library(name: "Xpedite", targets: ["Xpedite"]),
        .library(name: "Floki", targets: ["Floki"]),
        .library(name: "FlokiPostgreSQL", targets: ["FlokiPostgreSQL"]),
        .library(name: "FlokiSQLite", targets: ["FlokiSQLite"]),
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
        .systemLibrary(
            name: "CHiredis",
            // Debian's would say no more than where the library is anyway, and a flag that SwiftPM warns of.
            pkgConfig: Context.environment["HOMEBREW_PREFIX"] == nil ? nil : "hiredis",
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]
        ),
        .systemLibrary(name: "CInotify"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CNGHTTP2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "BacklotHTTP",
            dependencies: [
                "BacklotJSON",
                "CLinux",
                "CNGHTTP2",
                "COpenSSL",
                "CZlib",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(name: "BacklotJSON", swiftSettings: strict),
        .target(name: "BacklotDatabase", dependencies: ["BacklotHTTP", "CSQLite"], swiftSettings: strict),
        .target(
            name: "Backlot",
            dependencies: [
                "BacklotHTTP",
                "BacklotJSON",
                "CPCRE2",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotOTLP",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(name: "A2UI", dependencies: ["Backlot", "BacklotJSON"], swiftSettings: strict),
        .target(
            name: "A2UIServing",
            dependencies: [
                "A2UI", "Backlot", "BacklotJSON", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(name: "A2UIConformance", dependencies: ["A2UI", "Backlot"], swiftSettings: strict),
        .target(name: "Applin", dependencies: ["Backlot", "BacklotJSON"], swiftSettings: strict),
        .target(
            name: "DynamicViews",
            dependencies: [
                "Backlot", "BacklotJSON", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Xpedite",
            dependencies: [
                "Backlot", "BacklotJSON", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Floki",
            dependencies: [
                "Backlot",
                "BacklotJSON",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "FlokiPostgreSQL",
            dependencies: [
                "Backlot", "BacklotPostgreSQL", "Floki", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "FlokiSQLite",
            dependencies: [
                "Backlot", "BacklotDatabase", "Floki", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotMocks",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                "CInotify",
                "CLibXML2",
                "CYAML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CDemoFiles",
            cSettings: [
                .define("BACKLOT_COMMIT", to: "\"\(Context.gitInformation?.currentCommit.prefix(12) ?? "unknown")\"")
            ]
        ),
        .target(
            name: "BacklotRecording",
            dependencies: [
                "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(name: "CPreviewFiles", exclude: ["generate"]),
        .target(
            name: "BacklotPreview",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                "CPreviewFiles",
                "CQREncode",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Web"],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotPostgreSQL",
            dependencies: [
                "Backlot", "CPostgreSQL", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotRedis",
            dependencies: ["Backlot", "CHiredis", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotSQLite",
            dependencies: ["Backlot", "BacklotDatabase", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotClients",
            dependencies: [
                "A2UI",
                "Applin",
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                "DynamicViews",
                "Floki",
                "Xpedite",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotChecks",
            dependencies: [
                "Backlot", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotLoad",
            dependencies: [
                "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotRecording",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Service"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotTesting",
            dependencies: ["Backlot", "BacklotClients", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .target(
            name: "BacklotService",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotOTLP",
                "BacklotPreview",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Service"])
                ),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "demo-server",
            dependencies: [
                "A2UI",
                "A2UIConformance",
                "A2UIServing",
                "Applin",
                "Backlot",
                "BacklotJSON",
                "BacklotMocks",
                "BacklotPostgreSQL",
                "BacklotPreview",
                "BacklotRecording",
                "BacklotRedis",
                "BacklotSQLite",
                "BacklotService",
                "BacklotChecks",
                "BacklotClients",
                "BacklotLoad",
                "CDemoFiles",
                "DynamicViews",
                "Floki",
                "FlokiPostgreSQL",
                "FlokiSQLite",
                "Xpedite",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Service"])
                ),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Files"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "echo-server",
            dependencies: [
                "Backlot",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Service"])
                ),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Examples/Echo",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "replica-flow",
            dependencies: [
                "BacklotHTTP", "BacklotJSON", "BacklotTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Replicas/Flow",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "otlp-clinic",
            dependencies: [
                "Backlot", "BacklotOTLP", .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Tests/OpenTelemetry/Clinic",
            swiftSettings: strict
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "BacklotHTTP",
                "COpenSSL",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotHTTPTests",
            dependencies: [
                "BacklotHTTP",
                "CLinux",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotTests",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotOTLPTests",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotJSON",
                "BacklotOTLP",
                "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotPostgreSQLTests",
            dependencies: [
                "Backlot", "BacklotHTTP", "BacklotPostgreSQL", "CPostgreSQL", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SessionStoreTests",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotPostgreSQL",
                "BacklotRedis",
                "BacklotSQLite",
                "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotServiceTests",
            dependencies: [
                "Backlot",
                "BacklotHTTP",
                "BacklotPreview",
                "BacklotService",
                "TestSupport",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Service"])
                ),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DemoServerTests",
            dependencies: [
                "A2UI",
                "Applin",
                "Backlot",
                "BacklotClients",
                "BacklotDatabase",
                "BacklotHTTP",
                "BacklotJSON",
                "BacklotMocks",
                "BacklotPostgreSQL",
                "BacklotRecording",
                "BacklotRedis",
                "BacklotSQLite",
                "BacklotService",
                "BacklotChecks",
                "BacklotTesting",
                "DynamicViews",
                "Floki",
                "FlokiSQLite",
                "TestSupport",
                "Xpedite",
                "demo-server",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Service"])
                ),
            ],
            exclude: ["Recorded/Routes"],
            swiftSettings: strict
        ),
        .target(
            name: "ClientTestSupport",
            dependencies: [
                "Backlot", "BacklotClients", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/ClientTestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotClientsTests",
            dependencies: [
                "A2UI", "A2UIServing", "Applin", "Backlot", "BacklotClients", "BacklotHTTP", "BacklotJSON",
                "BacklotTesting",
                "ClientTestSupport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotChecksTests",
            dependencies: [
                "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotMocks",
                "BacklotRecording", "BacklotTesting", "ClientTestSupport", "DynamicViews", "Floki", "TestSupport",
                "Xpedite",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotTestingTests",
            dependencies: ["Applin", "Backlot", "BacklotTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotLoadTests",
            dependencies: [
                "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotHTTP", "BacklotJSON", "BacklotLoad",
                "BacklotMocks", "BacklotRecording", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "stuck-server",
            dependencies: ["BacklotHTTP", .product(name: "Logging", package: "swift-log")],
            path: "Tests/StuckServer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "EchoServerTests",
            dependencies: ["BacklotHTTP", "TestSupport", "echo-server", "stuck-server"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotMocksTests",
            dependencies: [
                "A2UI",
                "Applin",
                "Backlot",
                "BacklotChecks",
                "BacklotClients",
                "BacklotHTTP",
                "BacklotJSON",
                "BacklotMocks",
                "BacklotRecording",
                "DynamicViews",
                "Floki",
                "TestSupport",
                "Xpedite",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Gym", "WireMock/behaviour.jsonl", "WireMock/stubs.jsonl"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotRecordingTests",
            dependencies: [
                "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotPreviewTests",
            dependencies: [
                "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotPreview", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "HouseTests", exclude: ["Budgets.start.tsv", "Budgets.tsv"], swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "A2UI", "A2UIServing", "Applin", "Backlot", "BacklotChecks", "BacklotClients", "BacklotLoad",
                "BacklotMocks", "BacklotOTLP",
                "BacklotPreview",
                "BacklotPostgreSQL", "BacklotRecording", "BacklotRedis", "BacklotSQLite", "BacklotService",
                "BacklotTesting",
                "DynamicViews", "Floki",
                "FlokiPostgreSQL", "FlokiSQLite",
                "TestSupport",
                "Xpedite",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            exclude: ["Greeting/Package.swift", "Greeting/Sources/Greeting/main.swift"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotDatabaseTests",
            dependencies: ["BacklotDatabase", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(name: "BacklotJSONTests", dependencies: ["BacklotJSON"], swiftSettings: strict),
        .testTarget(
            name: "A2UITests",
            dependencies: [
                "A2UI", "A2UIConformance", "A2UIServing", "Backlot", "BacklotJSON", "BacklotTesting", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ApplinTests",
            dependencies: ["Applin", "Backlot", "BacklotJSON", "TestSupport"],
            exclude: ["Rules/released-clients.txt", "SwiftSource/pages.jsonl"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FlokiTests",
            dependencies: [
                "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "Floki", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "feed-writer",
            dependencies: ["Floki", "FlokiSQLite"],
            path: "Tests/FeedWriter",
            swiftSettings: strict
        ),
        .testTarget(
            name: "FeedStoreTests",
            dependencies: [
                "Backlot", "BacklotDatabase", "BacklotHTTP", "BacklotJSON", "BacklotPostgreSQL", "BacklotTesting",
                "Floki",
                "FlokiPostgreSQL", "FlokiSQLite", "TestSupport", "feed-writer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DynamicViewsTests",
            dependencies: ["Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "DynamicViews", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "XpediteTests",
            dependencies: [
                "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotTesting", "TestSupport", "Xpedite",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer has a `main` of its own and wants every module to tell it where it has been: only `make fuzz` builds this.
let fuzzed: [Target.Dependency] = [
    "A2UI", "Applin", "Backlot", "BacklotHTTP", "BacklotJSON", "BacklotMocks", "BacklotRecording", "DynamicViews",
    "Floki", "TestSupport", "Xpedite",
    .product(name: "Logging", package: "swift-log"),
]
if Context.environment["BACKLOT_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: fuzzed,
            path: "Fuzzing",
            exclude: ["Corpus", "Dictionaries", "README.md", "Record.tsv", "Seeds", "Tests", "leaks.supp", "run"],
            swiftSettings: strict
        )
    )
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzTests",
            dependencies: fuzzed,
            path: "Fuzzing",
            exclude: ["Corpus", "Dictionaries", "Driver", "README.md", "Record.tsv", "Seeds", "leaks.supp", "run"],
            swiftSettings: strict
        )
    )
}
