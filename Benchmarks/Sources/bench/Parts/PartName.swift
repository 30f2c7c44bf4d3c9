import ArgumentParser

/// The parts of a run, in their order.
enum PartName: String, CaseIterable, ExpressibleByArgument {
    case cpu, encoding, idle

    /// The part itself.
    var part: any Part {
        switch self {
        case .cpu: ServerCPU()
        case .encoding: Encoding()
        case .idle: IdleConnections()
        }
    }
}
