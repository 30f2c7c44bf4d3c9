extension Peer {
    /// The Swift server that most of our goals are set against; on SwiftNIO.
    static let hummingbird = product("peer-hummingbird", as: .hummingbird)
}
