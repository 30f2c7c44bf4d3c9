/// A server to measure: how to start it.
struct Peer: Sendable {
    let name: ServerName
    /// Starts it on a free port, and returns when it accepts connections.
    let start: @Sendable (Workspace) throws -> RunningServer

    /// The same, confined to one processor with everything that it starts.
    func on(processor: Int) -> Peer {
        Peer(name: name) { try start($0.on(processor: processor)) }
    }

    /// Every server that can be measured.
    static func named(_ name: ServerName) -> Peer {
        switch name {
        case .backlot: .backlot
        case .demo: .demoServer
        case .hummingbird: .hummingbird
        case .flyingfox: .flyingFox
        case .nginx: .nginx
        case .loggingNginx: .loggingNginx
        }
    }
}
