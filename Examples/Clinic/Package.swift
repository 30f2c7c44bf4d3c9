// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "clinic",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "backlot", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "clinic",
            dependencies: [
                .product(name: "Applin", package: "backlot"),
                .product(name: "Backlot", package: "backlot"),
                .product(name: "BacklotService", package: "backlot"),
                .product(name: "BacklotSQLite", package: "backlot"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Clinic"
        ),
        .testTarget(
            name: "ClinicTests",
            dependencies: ["clinic", .product(name: "BacklotTesting", package: "backlot")]
        ),
    ]
)
