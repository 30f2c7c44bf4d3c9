internal import Backlot
internal import BacklotClients
package import BacklotMocks
internal import HTTPTypes

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
        var best: (rehearsal: Rehearsal, base: String, firstPage: String, cost: Int)?
        for (base, firstPage) in Self.guesses(traffic, options.basePath) where best?.cost != 0 {
            let limit = best?.cost ?? .max
            guard
                let rehearsal = try? await Rehearsal(traffic, base: base, firstPage: firstPage, below: limit),
                rehearsal.cost < limit
            else { continue }
            best = (rehearsal, base, firstPage, rehearsal.cost)
        }
        var writer = TestSource(traffic, options, base: best?.base ?? "/", firstPage: best?.firstPage ?? "/")
        if let rehearsal = best?.rehearsal { writer.write(rehearsal) }
        source = writer.source
        report = writer.report
    }

    /// The paths of base URLs and first pages to try, the likeliest first.
    private static func guesses(_ traffic: RecordedTraffic, _ basePath: String?) -> [(String, String)] {
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
        return bases.prefix(4).flatMap { base -> [(String, String)] in
            guard let first = pages.first(where: { $0.hasPrefix(base) }) else { return [(base, "/")] }
            let page = "/" + first.dropFirst(base.count)
            return page == "/" ? [(base, "/")] : [(base, "/"), (base, page)]
        }
    }
}
