// swift-tools-version: 6.3
import PackageDescription

/// The programs, each with its file in Sources and the products of Backlot that it imports.
let programs: [(name: String, file: String, products: [String])] = [
    ("hello", "Hello.swift", ["Applin"]),
    ("form", "Form.swift", ["Applin"]),
    ("sessions", "Sessions.swift", ["Applin"]),
    ("members", "Members.swift", []),
    ("upload", "Upload.swift", ["Applin"]),
    ("events", "Events.swift", []),
    ("chat", "Chat.swift", []),
    ("json-api", "JSONAPI.swift", ["Applin"]),
    ("middleware", "Middleware.swift", []),
    ("store", "Store.swift", []),
    ("files", "Files.swift", []),
    ("tls", "TLS.swift", []),
    ("applin-tasks", "ApplinTasks.swift", ["Applin"]),
    ("xpedite-customers", "XpediteCustomers.swift", ["Xpedite"]),
    ("floki-news", "FlokiNews.swift", ["Floki"]),
    ("views-settings", "ViewsSettings.swift", ["DynamicViews"]),
    ("a2ui-poll", "A2UIPoll.swift", ["A2UIServing"]),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "backlot") }

let package = Package(
    name: "small",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "backlot", path: "../..")],
    targets: programs.map { program in
        .executableTarget(
            name: program.name,
            dependencies: (["Backlot"] + program.products).map(product),
            path: "Sources",
            exclude: programs.map(\.file).filter { $0 != program.file }
        )
    } + [
        .testTarget(
            name: "SmallTests",
            dependencies: programs.map { .byName(name: $0.name) }
                + ["BacklotChecks", "BacklotMocks", "BacklotTesting"].map(product),
            path: "Tests",
            exclude: ["Routes"]
        )
    ]
)
