/// A session as a store keeps it. All instants are in whole seconds since 1970 began in UTC.
public struct SessionRecord: Hashable, Sendable {
    /// What the session is found by: the hash of its id.
    public var key: SessionHash
    /// The app that the session belongs to, by the path it is mounted at, such as `/objects/`. Several apps may share a
    /// store; a user of one is a stranger to the others.
    public var mount: String
    /// Who is logged in; nil for nobody.
    public var user: String?
    /// The values. A store keeps them as they are and looks at nothing in them.
    public var values: [UInt8]
    /// When the user logged in, or when the session began where nobody has.
    public var createdAt: Int
    /// When the last request came, give or take `SessionConfiguration.touchInterval`.
    public var lastSeen: Int
    /// When the session ends, if no request comes before. From then on a store may forget it.
    public var expiresAt: Int
    /// How often the session has been changed. A change names the version that it is based on, so that none is lost.
    public var version: Int

    /// A session, for a store that reads it back.
    public init(
        key: SessionHash,
        mount: String,
        user: String? = nil,
        values: [UInt8] = [],
        createdAt: Int,
        lastSeen: Int,
        expiresAt: Int,
        version: Int = 0
    ) {
        self.key = key
        self.mount = mount
        self.user = user
        self.values = values
        self.createdAt = createdAt
        self.lastSeen = lastSeen
        self.expiresAt = expiresAt
        self.version = version
    }
}
