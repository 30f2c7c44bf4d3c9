// swift-tools-version: 6.3
import PackageDescription

/// As strict as the product; see the Package.swift above.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// A package of its own, so that the product depends on none of the servers it is measured against.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "backlot", path: ".."),
        .package(path: "../Integrations/BacklotHummingbird"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        .target(name: "EncodablePages", swiftSettings: strict),
        .target(name: "ServerAnnouncement", swiftSettings: strict),
        .executableTarget(
            name: "bench",
            dependencies: ["ServerAnnouncement", argumentParser],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "peer-hummingbird",
            dependencies: [
                "EncodablePages",
                "ServerAnnouncement",
                argumentParser,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "peer-flyingfox",
            dependencies: [
                "EncodablePages",
                "ServerAnnouncement",
                argumentParser,
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-server-backlot",
            dependencies: [
                "ServerAnnouncement",
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
                .product(name: "BacklotPreview", package: "backlot"),
                .product(name: "Xpedite", package: "backlot"),
            ],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"])]
        ),
        .executableTarget(
            name: "arena-entry",
            dependencies: [
                "ServerAnnouncement",
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Dockerfile"],
            swiftSettings: strict,
            // The tests, which are linked with it, can't be static.
            linkerSettings: [
                .unsafeFlags(
                    ["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"],
                    .when(configuration: .release)
                )
            ]
        ),
        .executableTarget(
            name: "bench-tls",
            cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
        .executableTarget(
            name: "bench-encoding",
            dependencies: [
                .product(name: "Applin", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-flow",
            dependencies: [
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
                .product(name: "BacklotTesting", package: "backlot"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-surfaces",
            dependencies: [
                .product(name: "A2UIServing", package: "backlot"),
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
                .product(name: "BacklotTesting", package: "backlot"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-mocks",
            dependencies: [
                "ServerAnnouncement",
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotMocks", package: "backlot"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-sessions",
            dependencies: [
                "ServerAnnouncement",
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotPostgreSQL", package: "backlot"),
                .product(name: "BacklotRedis", package: "backlot"),
                .product(name: "BacklotSQLite", package: "backlot"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench-floki",
            dependencies: [
                "ServerAnnouncement",
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotJSON", package: "backlot"),
                .product(name: "BacklotPostgreSQL", package: "backlot"),
                .product(name: "Floki", package: "backlot"),
                .product(name: "FlokiPostgreSQL", package: "backlot"),
                .product(name: "FlokiSQLite", package: "backlot"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BenchTests",
            dependencies: ["arena-entry", "bench", "EncodablePages", "ServerAnnouncement"],
            swiftSettings: strict
        ),
        // The tests of Integrations/BacklotHummingbird, by a link: here Hummingbird is built already.
        .testTarget(
            name: "BacklotHummingbirdTests",
            dependencies: [
                .product(name: "BacklotHummingbird", package: "BacklotHummingbird"),
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotPreview", package: "backlot"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
