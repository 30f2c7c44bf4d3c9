package import BacklotRecording
package import BacklotClients
package import BacklotMocks

/// What the people did whose clients were recorded, one list of steps for each of them.
package enum RecordedFlow {
    /// Finds out the steps; empty where the recording is no Applin app's.
    ///
    /// - Parameter exchanges: in the order in which they began.
    package static func flows(of exchanges: [RecordedExchange]) async -> [[ClientStep]] {
        let traffic = RecordedTraffic(exchanges.filter { (200...599).contains($0.status) })
        guard traffic.exchanges.indices.contains(where: traffic.isPage) else { return [] }
        guard let best = await RecordedTests.rehearsal(of: traffic, basePath: nil) else { return [] }
        var flows: [Int: [ClientStep]] = [:]
        for case .step(let player, let step, _, _, _) in best.scenes { flows[player, default: []].append(step) }
        return flows.sorted { $0.key < $1.key }.map(\.value).filter { steps in
            if case .launch? = steps.first { true } else { false }
        }
    }
}
