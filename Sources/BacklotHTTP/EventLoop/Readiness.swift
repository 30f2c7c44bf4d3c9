/// What a channel waits for, and what the system then says of it.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    /// There is something to read, or to accept.
    static let readable = Readiness(rawValue: 1)
    /// There is room to write.
    static let writable = Readiness(rawValue: 2)
    /// The connection is broken, or closed in both directions. Reported whether asked for or not.
    static let hungUp = Readiness(rawValue: 4)
}

/// A channel, by its slot in the loop, and what it is ready for.
struct ReadySlot {
    let slot: Int32
    let readiness: Readiness
}
