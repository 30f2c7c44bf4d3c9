internal import Backlot
package import BacklotClients
package import BacklotRecording

/// A Swift test made from a recording. A headless Applin client repeats the steps of the recorded users, and expects what they
/// saw.
///
/// The test compiles in a target with the products Applin, Backlot, BacklotMocks and BacklotTesting. It passes against the mocks
/// made from the recording, and against the backend in its state at the beginning of the recording.
package struct RecordedTests: Sendable {
    /// The options of the generated test.
    package struct Options: Sendable {
        /// The name of the suite; `RecordedTests` if it isn't a Swift identifier.
        package var name = "RecordedTests"
        /// The folder of the mock routes that the test uses without another server.
        package var routes = "Routes"
        /// The path of the app's base URL, which begins and ends with a slash; nil to detect it.
        package var basePath: String?
        /// The pseudonyms in the recording: ``Redaction/pseudonyms``.
        package var pseudonyms: Set<String> = []

        /// Creates the default options.
        package init() {}
    }

    /// The Swift file.
    package let source: String
    /// The contents of the test, and the omitted parts: a line for each.
    package let report: [String]

    /// Writes a test.
    ///
    /// - Parameter exchanges: the exchanges by beginning, without secrets.
    package init(_ exchanges: [RecordedExchange], options: Options = Options()) async {
        let traffic = RecordedTraffic(exchanges.filter { (200...599).contains($0.status) && !$0.opensWebSocket })
        let best = await Self.found(of: traffic, basePath: options.basePath)
        var writer = TestSource(traffic, options, best?.recorded ?? RecordedApp())
        if let best { writer.write(best) }
        source = writer.source
        report = writer.report
    }

    /// The reconstruction with the lowest cost; nil if the recording can't be explained.
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

    /// The apps to try, the most likely first.
    private static func guesses(_ traffic: RecordedTraffic, _ basePath: String?) -> [RecordedApp] {
        let pages = traffic.exchanges.indices.filter { traffic.isPage($0) && traffic.exchanges[$0].method == .get }
            .map { traffic.targets[$0].prefix { $0 != "?" } }
        var bases = ["/"]
        if let basePath {
            bases = [basePath]
        } else if let first = pages.first {
            for index in first.indices.dropFirst() where first[index] == "/" { bases.append(String(first[...index])) }
        }
        // A first page with a path that ends in a slash is usually the app's own.
        if pages.first?.hasSuffix("/") == true { bases.reverse() }
        let apps = bases.prefix(4).flatMap { base -> [RecordedApp] in
            let first = pages.first { $0.hasPrefix(base) }.map { "/" + $0.dropFirst(base.count) } ?? "/"
            return [RecordedApp(base: base)] + (first == "/" ? [] : [RecordedApp(base: base, firstPage: first)])
        }
        guard traffic.hasFlatNames else { return apps }
        return apps.map { RecordedApp(base: $0.base, firstPage: $0.firstPage, client: "0.33") } + apps
    }
}

/// The properties of an app that are needed to reconstruct its clients.
struct RecordedApp {
    /// The path of the base URL.
    var base = "/"
    /// The first page of clients, even after a log-out.
    var firstPage = "/"
    /// The version of the clients; nil for the newest.
    var client: ClientVersion?
}

/// The steps of recorded users, one list for each client.
package enum RecordedFlow {
    /// Reconstructs the steps; empty if the recording isn't of an Applin app.
    ///
    /// - Parameter exchanges: the exchanges by beginning.
    package static func flows(of exchanges: [RecordedExchange]) async -> [[ClientStep]] {
        let traffic = RecordedTraffic(exchanges.filter { (200...599).contains($0.status) && !$0.opensWebSocket })
        guard traffic.exchanges.indices.contains(where: traffic.isPage) else { return [] }
        guard let best = await RecordedTests.found(of: traffic, basePath: nil) else { return [] }
        var flows: [Int: [ClientStep]] = [:]
        for case .step(let player, let step, _, _, _) in best.scenes { flows[player, default: []].append(step) }
        return flows.sorted { $0.key < $1.key }.map(\.value).filter { steps in
            if case .launch? = steps.first { true } else { false }
        }
    }
}
