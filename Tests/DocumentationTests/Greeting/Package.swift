// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Greeting",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "backlot", path: "../backlot", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Greeting",
            dependencies: [
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
            ]
        ),
        .testTarget(
            name: "GreetingTests",
            dependencies: [
                "Greeting", .product(name: "BacklotTesting", package: "backlot"),
            ]
        ),
    ]
)
