import ArgumentParser
import Backlot
import BacklotService
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `demo-server floki`
struct FlokiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floki",
        abstract: "Publishes stories in the Floki app's feeds, and writes the app as files for any web server.",
        subcommands: [FlokiPublish.self, FlokiExport.self]
    )
}

extension FeedStoreChoice {
    /// The path of the file that opening the store would make; nil where it is there, and for a store that is no file.
    var missingFile: String? {
        file.flatMap { FileManager.default.fileExists(atPath: $0) ? nil : $0 }
    }
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
