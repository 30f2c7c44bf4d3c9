extension SessionRecord {
    /// A session for testing a store: with a key that no client can have, and as large as sessions with many values.
    package static func probe() -> SessionRecord {
        let now = SessionClock.system.secondsSince1970
        return SessionRecord(
            key: SessionHash(hashing: "probe \(UInt64.random(in: 0 ... .max))"),
            mount: "",
            values: [UInt8](repeating: 0, count: 16 * 1024),
            createdAt: now,
            lastSeen: now,
            expiresAt: now + 60
        )
    }
}
