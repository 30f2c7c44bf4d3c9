import ArgumentParser

/// The parts of a run, in their order.
enum PartName: String, CaseIterable, ExpressibleByArgument {
<<<<<<< HEAD
    case cpu, instructions, shapes, files, http2, latency, slow, greedy, encoding, flow, mocks, xpedite, sessions,
=======
    case cpu, instructions, shapes, files, http2, latency, slow, greedy, encoding, flow, mocks, xpedite, floki,
>>>>>>> ced19d9f9c2890e17701d4a355cc27bc2e304125
        telemetry, idle, start

    /// The part itself.
    var part: any Part {
        switch self {
        case .cpu: ServerCPU()
        case .instructions: Instructions()
        case .shapes: Comparison.shapes
        case .files: Comparison.files
        case .http2: Comparison.http2
        case .latency: Latency()
        case .slow: SlowHeads()
        case .greedy: GreedyClients()
        case .start: StartUp()
        case .encoding: Encoding()
        case .flow: Flow()
        case .mocks: Mocks()
        case .xpedite: XpediteTable()
<<<<<<< HEAD
        case .sessions: Sessions()
=======
        case .floki: FlokiFeeds()
>>>>>>> ced19d9f9c2890e17701d4a355cc27bc2e304125
        case .telemetry: TelemetryCost()
        case .idle: IdleConnections()
        }
    }
}
