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

// This is a separate package, so that Backlot depends neither on jwt-kit nor on swift-crypto.
let package = Package(
    name: "jwt-example",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "backlot", path: "../.."),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "TokenServer",
            dependencies: [
                .product(name: "Backlot", package: "backlot"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TokenServerTests",
            dependencies: [
                "TokenServer",
                .product(name: "Backlot", package: "backlot"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
