internal import Backlot
package import BacklotClients
package import BacklotRecording

/// A Swift test that was made of a recording: with a headless client of Applin it does what the people did whose clients were
/// recorded, and expects what they saw.
///
/// It compiles in a target with the products Applin, Backlot, BacklotMocks and BacklotTesting, and passes against the mocks that
/// were made of the recording and against the backend, where that is as it was when the recording began.
package struct RecordedTests: Sendable {
    /// How the test is written.
    package struct Options: Sendable {
        /// The name of the suite: `RecordedTests` where it is no Swift identifier.
        package var name = "RecordedTests"
        /// The folder of the mock routes that it asks without another server.
        package var routes = "Routes"
        /// The path of the app's base URL; nil to find it out. It begins and ends with a slash.
        package var basePath: String?
        /// What stands for secrets in the recording: ``Redaction/pseudonyms``.
        package var pseudonyms: Set<String> = []

        /// The usual options.
        package init() {}
    }

    /// The Swift file.
    package let source: String
    /// What the test does, and what it leaves out: a line for each.
    package let report: [String]

    /// Writes a test.
    ///
    /// - Parameter exchanges: in the order in which they began, without secrets.
    package init(_ exchanges: [RecordedExchange], options: Options = Options()) async {
        let traffic = RecordedTraffic(exchanges.filter { (200...599).contains($0.status) })
        let best = await Self.found(of: traffic, basePath: options.basePath)
        var writer = TestSource(traffic, options, best?.recorded ?? RecordedApp())
        if let best { writer.write(best) }
        source = writer.source
        report = writer.report
    }

    /// What the people did; nil where nobody can tell.
    static func found(of traffic: RecordedTraffic, basePath: String?) async -> FlowReconstruction? {
        var best: FlowReconstruction?
        for app in guesses(traffic, basePath) where best?.cost != 0 {
            let limit = best?.cost ?? .max
            guard let found = try? await FlowReconstruction(traffic, of: app, below: limit), found.cost < limit else {
                continue
            }
            best = found
        }
        return best
    }

    /// The apps to try, the likeliest first.
    private static func guesses(_ traffic: RecordedTraffic, _ basePath: String?) -> [RecordedApp] {
        let pages = traffic.exchanges.indices.filter { traffic.isPage($0) && traffic.exchanges[$0].method == .get }
            .map { traffic.targets[$0].prefix { $0 != "?" } }
        var bases = ["/"]
        if let basePath {
            bases = [basePath]
        } else if let first = pages.first {
            for index in first.indices.dropFirst() where first[index] == "/" { bases.append(String(first[...index])) }
        }
        // A first page whose path ends in a slash is the app's own, as a rule.
        if pages.first?.hasSuffix("/") == true { bases.reverse() }
        let apps = bases.prefix(4).flatMap { base -> [RecordedApp] in
            let first = pages.first { $0.hasPrefix(base) }.map { "/" + $0.dropFirst(base.count) } ?? "/"
            return [RecordedApp(base: base)] + (first == "/" ? [] : [RecordedApp(base: base, firstPage: first)])
        }
        guard traffic.hasFlatNames else { return apps }
        return apps.map { RecordedApp(base: $0.base, firstPage: $0.firstPage, client: "0.33") } + apps
    }
}

/// What must be known of an app before its clients can be understood.
struct RecordedApp {
    /// The path of its base URL.
    var base = "/"
    /// The page that clients begin with, after a log-out too.
    var firstPage = "/"
    /// The version of the clients; nil for today's.
    var client: ClientVersion?
}

/// What the people did whose clients were recorded, one list of steps for each of them.
package enum RecordedFlow {
    /// Finds out the steps; empty where the recording is no Applin app's.
    ///
    /// - Parameter exchanges: in the order in which they began.
    package static func flows(of exchanges: [RecordedExchange]) async -> [[ClientStep]] {
        let traffic = RecordedTraffic(exchanges.filter { (200...599).contains($0.status) })
        guard traffic.exchanges.indices.contains(where: traffic.isPage) else { return [] }
        guard let best = await RecordedTests.found(of: traffic, basePath: nil) else { return [] }
        var flows: [Int: [ClientStep]] = [:]
        for case .step(let player, let step, _, _, _) in best.scenes { flows[player, default: []].append(step) }
        return flows.sorted { $0.key < $1.key }.map(\.value).filter { steps in
            if case .launch? = steps.first { true } else { false }
        }
    }
}
