// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Greeting",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(url: "https://github.com/OWNER/backlot.git", from: "0.1.0", traits: [])
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
