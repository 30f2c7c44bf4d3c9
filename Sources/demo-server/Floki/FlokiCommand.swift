import ArgumentParser
import Backlot
import BacklotService
import Floki

/// `demo-server floki`
struct FlokiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floki",
        abstract: "Publishes stories in the Floki app's feeds, and writes the app as files for any web server.",
        subcommands: [FlokiPublish.self, FlokiExport.self]
    )
}

/// Which store of feeds a tool works with.
struct FeedsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the stories are kept: \(DemoServer.feedStores.forms()). (default: as for serve)",
            valueName: "store"
        )
    )
    var feeds: String?

    /// The settings of the server with the same option.
    var settings: DemoSettings {
        get async throws {
            let given = [DemoSettings.feeds.name: feeds].compactMapValues(\.self)
            return try DemoSettings(try await SettingSources(DemoServer.allSettings, options: given))
        }
    }

    /// Opens the store.
    ///
    /// - Throws: what is wrong with it, as an exit code; it has been printed then.
    static func open(_ choice: FeedStoreChoice) throws -> any FeedStore {
        do {
            return try choice.open(LogOutput.standardError.logger(label: "demo-server"))
        } catch {
            throw ImportCommand.failure("\(error)")
        }
    }
}
