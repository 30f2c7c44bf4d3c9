extension Peer {
    /// A small Swift server with sockets of its own.
    static let flyingFox = product("peer-flyingfox", as: .flyingfox)
}
