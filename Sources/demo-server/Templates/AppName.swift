import Backlot
import BacklotService

/// The names of a package: of its type, of its program, and of the program's module.
struct AppName: Sendable, Equatable {
    /// The type with `@main`, such as `WaitingRoom`.
    let type: String
    /// The program, such as `waiting-room`.
    let command: String
    /// The module of the program, such as `waiting_room`.
    var module: String { command.replacing("-", with: "_") }

    /// - Throws: `AppNameError` for a name that a Swift package can't have.
    init(_ text: String) throws(AppNameError) {
        func isWord(_ character: Character) -> Bool { character.isASCII && (character.isLetter || character.isNumber) }
        guard let first = text.first, first.isASCII, first.isLetter, text.allSatisfy(isWord), text.count <= 50 else {
            throw AppNameError(
                "'\(text.excerpt)' can't be the name of a Swift type: write letters and digits, such as WaitingRoom."
            )
        }
        let type = first.uppercased() + text.dropFirst()
        let lower = type.lowercased()
        guard ![text, type, lower].contains(where: \.isSwiftKeyword) else {
            throw AppNameError("'\(text)' is a word of Swift: write another name, such as \(type)App.")
        }
        if let module = Self.modules.first(where: { $0.lowercased() == lower }) {
            throw AppNameError(
                "'\(text)' is the name of the module \(module), which the app may import: write another name."
            )
        }
        if Self.types.contains(type) {
            throw AppNameError(
                "'\(text)' is the name of a type that the app uses: write another name, such as \(type)App."
            )
        }
        self.type = type
        command = type.kebabCased
    }

    private static let modules = [
        "A2UI", "A2UIServing", "Applin", "ArgumentParser", "Backlot", "BacklotChecks", "BacklotClients",
        "BacklotDatabase", "BacklotHTTP",
        "BacklotJSON",
        "BacklotMocks", "BacklotPostgreSQL", "BacklotPreview", "BacklotRedis", "BacklotSQLite", "BacklotService",
        "BacklotTesting",
        "Configuration",
        "CoreMetrics", "Darwin", "Dispatch", "Distributed", "DynamicViews", "Floki", "FlokiPostgreSQL", "FlokiSQLite",
        "Foundation",
        "FoundationEssentials", "FoundationNetworking", "Glibc", "HTTPTypes", "Instrumentation", "Logging", "Metrics",
        "Musl",
        "Observation", "PackageDescription", "RegexBuilder", "ServiceContextModule", "ServiceLifecycle", "Swift",
        "Synchronization", "System", "SystemPackage", "Testing", "Tracing", "XCTest", "Xpedite",
    ]

    /// The types in the templates. A new type with one of these names would hide them.
    private static let types: Set<String> = [
        "A2UIClient", "ApplinClient", "Bool", "ClientReach", "Decodable", "Document", "FormValidator", "FormErrors",
        "HintsKey",
        "Int",
        "MemoryFeedStore", "NewsFeed", "Page", "CheckSample", "Request", "Response", "Router", "ServerApp",
        "AppContext", "SessionKey", "SessionStoreKind", "String", "TaskList", "TaskStore", "Test", "UserError",
    ]
}

/// The mistake in the arguments for a new package.
struct AppNameError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
