import ArgumentParser

/// The parts of a run, in their order.
enum PartName: String, CaseIterable, ExpressibleByArgument {
    case cpu, instructions, shapes, files, http2, distance, handshakes, tls, latency, slow, greedy, siege, streams, live
    case encoding, flow, surfaces, mocks, proxy, xpedite, floki, sessions, telemetry, loops, routes, arena, idle, start
    case idleTLS = "idle-tls"

    /// The part itself.
    var part: any Part {
        switch self {
        case .cpu: ServerCPU()
        case .instructions: Instructions()
        case .shapes: Comparison.shapes
        case .files: Comparison.files
        case .http2: Comparison.http2
        case .distance: Distance()
        case .handshakes: Comparison.handshakes
        case .tls: Comparison.tls
        case .latency: Latency()
        case .slow: SlowHeads()
        case .greedy: GreedyClients()
        case .siege: Siege()
        case .streams: GreedyStreams()
        case .live: LiveStreams()
        case .start: StartUp()
        case .encoding: Encoding()
        case .flow: Flow()
        case .surfaces: Surfaces()
        case .mocks: Mocks()
        case .proxy: ProxyCost()
        case .xpedite: XpediteTable()
        case .floki: FlokiFeeds()
        case .sessions: Sessions()
        case .telemetry: TelemetryCost()
        case .loops: LoopScale()
        case .routes: RouteScale()
        case .arena: Arena()
        case .idle: IdleConnections()
        case .idleTLS: IdleTLS()
        }
    }
}
