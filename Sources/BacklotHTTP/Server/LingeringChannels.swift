/// The connections of a loop that have sent their last byte and wait for their clients to close, oldest first. A value without
/// I/O.
///
/// What such a client still sends is read and dropped: closing on top of it would send a reset, which takes the answer with it
/// (RFC 9112, section 9.6).
struct LingeringChannels {
    private var channels: [(channel: Channel, since: Int64)] = []

    /// The one that has waited longest.
    var oldest: Channel? { channels.first?.channel }

    /// Adds a connection.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    mutating func append(_ channel: Channel, at now: Int64) {
        channels.append((channel, now))
    }

    /// Takes out a connection. Returns whether it was there.
    mutating func remove(_ channel: Channel) -> Bool {
        guard let index = channels.firstIndex(where: { $0.channel === channel }) else { return false }
        channels.remove(at: index)
        return true
    }

    /// Until when the client of a connection must have closed, or sent more.
    ///
    /// - Parameters:
    ///   - lastProgress: when the client last sent something.
    ///   - isDraining: whether the server stops: then it has no longer than a client that sends nothing.
    func deadline(
        of channel: Channel,
        lastProgress: Int64,
        isDraining: Bool,
        _ timeouts: ServerConfiguration.Timeouts
    ) -> Int64 {
        let unmoved = lastProgress + timeouts.linger
        guard let since = channels.first(where: { $0.channel === channel })?.since else { return unmoved }
        return min(unmoved, since + (isDraining ? timeouts.linger : timeouts.lingerInAll))
    }
}
