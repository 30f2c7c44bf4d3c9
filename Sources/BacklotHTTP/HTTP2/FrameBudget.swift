/// Limits, per connection, the frames that cause work without leading to a response.
///
/// Each kind of frame has one limit for a burst and one for the average per second. Most limits rise with the data and the responses that
/// the client accepts, as only clients in good faith do. So a proxy with thousands of requests per second may cancel some of them, but a
/// client may not only open and reset streams (CVE-2023-44487, "rapid reset"; CVE-2025-8671, "MadeYouReset"; CVE-2019-9512 to 9518). Frames
/// of unknown types don't count: the library drops them unread and keeps no state for them. A value without I/O.
struct FrameBudget: Equatable {
    /// The kinds of frames that count.
    enum Kind {
        /// SETTINGS, acknowledgements included.
        case settings
        /// PING, acknowledgements included.
        case ping
        /// PRIORITY and GOAWAY.
        case advice
        /// DATA without bytes that doesn't end its stream.
        case emptyData
        /// WINDOW_UPDATE.
        case windowUpdate
        /// A reset of a stream, by the client, or by the server because of the client's mistakes. It doesn't count if the stream has
        /// been of use (`HTTP2Stream.hasBeenOfUse`).
        case reset
    }

    /// A DATA frame of at least this many bytes doesn't suggest a tiny window.
    static let fullFrame = 1024

    private var settings = TokenBucket(burst: 50, perSecond: 5)
    private var ping = TokenBucket(burst: 300, perSecond: 30)
    private var advice = TokenBucket(burst: 500, perSecond: 50)
    private var emptyData = TokenBucket(burst: 100, perSecond: 10)
    private var windowUpdate = TokenBucket(burst: 1000, perSecond: 100)
    private var reset = TokenBucket(burst: 200, perSecond: 20)

    /// Counts one frame.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps.
    /// - Returns: false when the client has exceeded the limit.
    mutating func spend(_ kind: Kind, at now: Int64) -> Bool {
        switch kind {
        case .settings: settings.take(at: now)
        case .ping: ping.take(at: now)
        case .advice: advice.take(at: now)
        case .emptyData: emptyData.take(at: now)
        case .windowUpdate: windowUpdate.take(at: now)
        case .reset: reset.take(at: now)
        }
    }

    /// A trusted proxy has opened a stream. Its many clients may give up half of their requests at once.
    mutating func streamOpened() {
        reset.add(thousandths: 500)
    }

    /// The client has accepted a whole response.
    mutating func responseTaken() {
        reset.add(1)
        advice.add(3)
    }

    /// One side has sent a DATA frame of the size that it wanted, rather than one cut to fit a tiny window.
    mutating func dataExchanged() {
        windowUpdate.add(2)
        ping.add(1)
    }
}

/// Limits how often an event happens in a burst, and per second on average.
struct TokenBucket: Equatable {
    private let burst: Int
    private let perSecond: Int
    /// The number of tokens in thousandths, so that every millisecond adds `perSecond` of them.
    private var tokens: Int
    private var updated: Int64?

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - burst: the number of tokens that it holds.
    ///   - perSecond: the number of tokens added per second.
    init(burst: Int, perSecond: Int) {
        self.burst = burst * 1000
        self.perSecond = perSecond
        tokens = self.burst
    }

    /// Removes one token.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps.
    /// - Returns: false when the bucket is empty.
    mutating func take(at now: Int64) -> Bool {
        let milliseconds = Int(clamping: min(max(0, now - (updated ?? now)), 1_000_000))
        updated = now
        tokens = min(burst, tokens + milliseconds * perSecond)
        guard tokens >= 1000 else { return false }
        tokens -= 1000
        return true
    }

    /// Adds tokens, in addition to those that time adds.
    mutating func add(_ count: Int) { add(thousandths: count * 1000) }

    mutating func add(thousandths: Int) {
        tokens = min(burst, tokens + thousandths)
    }
}
