import ArgumentParser
import BacklotMocks

/// Where mock routes are, and what becomes of broken ones.
struct MockOptions: ParsableArguments {
    /// The folder that is taken without the option, if it is there.
    static let usualFolder = "Routes"

    @Option(help: ArgumentHelp("The folder of the mock routes, one file for each.", valueName: "dir"))
    var routes: String?

    @Flag(help: "Serve the mock routes that are in order, where others are broken.")
    var keepGoing = false

    @Option(help: "What random values in mock routes are made from: the same number repeats them.")
    var seed: UInt64?
}
