import ArgumentParser
import BacklotMocks

/// What becomes of broken mock routes, and of random values.
struct MockOptions: ParsableArguments {
    /// The folder that is taken without the option, if it is there.
    static let usualFolder = "Routes"

    @Flag(help: "Serve the mock routes that are in order, where others are broken.")
    var keepGoing = false

    @Option(help: "What random values in mock routes are made from: the same number repeats them.")
    var seed: UInt64?
}
