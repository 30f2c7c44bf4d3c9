// swift-tools-version: 6.3
import PackageDescription

/// As strict as Backlot; see the Package.swift two folders above.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// This is a separate package, so that Backlot does not depend on SwiftNIO.
let package = Package(
    name: "backlot-hummingbird",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "BacklotHummingbird", targets: ["BacklotHummingbird"])
    ],
    dependencies: [
        .package(name: "backlot", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .target(
            name: "BacklotHummingbird",
            dependencies: [
                .product(name: "Backlot", package: "backlot"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "hosting-cost",
            dependencies: [
                "BacklotHummingbird",
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BacklotHummingbirdTests",
            dependencies: [
                "BacklotHummingbird",
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
