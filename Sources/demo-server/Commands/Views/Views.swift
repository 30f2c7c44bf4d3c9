import ArgumentParser
import DynamicViews

/// `demo-server views`
struct Views: AsyncParsableCommand {
    /// Which clients documents are for.
    enum Platform: String, ExpressibleByArgument, CaseIterable {
        case ios, android

        var dialect: Dialect {
            switch self {
            case .ios: .ios
            case .android: .android
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Checks documents of Dynamic Views in files, mends them, and lists the names in them.",
        subcommands: [ViewsCheck.self, ViewsList.self]
    )
}
