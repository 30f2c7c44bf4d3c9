import Backlot
import BacklotTesting
import FoundationEssentials
import Testing

@testable import demo_server

/// One of the demo's apps, and how its client reaches it.
struct DemoFlow: Sendable, CustomTestStringConvertible {
    /// Both apps, each in process and over a socket.
    static let all = DemoMount.all.flatMap { mount in ClientReach.allCases.map { DemoFlow(mount: mount, reach: $0) } }
    /// The one for today's clients, in process and over a socket.
    static let objects = all.filter { $0.mount == .objects }

    /// The pictures of the demo.
    static let publicFolder = URL(filePath: #filePath).appending(path: "../../../../Public").standardizedFileURL.path

    let mount: DemoMount
    let reach: ClientReach

    var testDescription: String { "\(mount.path), \(reach.rawValue)" }

    /// Calls a test's body with a client of the demo.
    ///
    /// - Parameter ignoredRules: those that pages break on purpose.
    func run(
        _ stores: DemoStores = DemoStores(),
        ignoredRules: Set<String> = [],
        _ body: (ApplinClient) async throws -> Void
    ) async throws {
        var configuration = ApplinClientConfiguration()
        configuration.ignoredRules = ignoredRules
        let router = Router.demo(stores)
        try await withApplinClient(router, at: mount.path, over: reach, configuration: configuration, body)
    }
}
