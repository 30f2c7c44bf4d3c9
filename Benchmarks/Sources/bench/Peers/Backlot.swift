extension Peer {
    /// Our own server.
    static let backlot = product("bench-server-backlot", as: .backlot)
}
