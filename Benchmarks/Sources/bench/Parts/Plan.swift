/// What a run is to measure, and how thoroughly.
struct Plan {
    /// How often each server is measured.
    var rounds: Int
    /// How long wrk loads a server in each round.
    var seconds: Int
    /// How many connections the idle part opens.
    var idleConnections: Int
    /// The servers to leave out.
    var skipped: Set<ServerName>
    var workspace: Workspace

    /// The peers that take part, of those in `names`.
    func peers(_ names: [ServerName] = ServerName.allCases) -> [Peer] {
        names.filter { !skipped.contains($0) }.map(Peer.named)
    }
}
