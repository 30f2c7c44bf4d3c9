// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "garden",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "backlot", path: "../..")],
    targets: [
        .executableTarget(
            name: "garden",
            dependencies: [
                "GardenPages",
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotService", package: "backlot"),
            ],
            path: "Sources/Garden"
        ),
        // The pages run on the main actor, as a package's code does by default in Xcode.
        .target(
            name: "GardenPages",
            dependencies: [
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "GardenTests",
            dependencies: ["garden", "GardenPages", .product(name: "BacklotTesting", package: "backlot")]
        ),
    ]
)
