/// Lets only so many requests at a time wait for their handlers, such as those that make a report:
/// `router.with(ConcurrencyLimit(4)).get("/report") { … }`. Further ones are answered with 503 and `Retry-After` (RFC
/// 9110, section 15.6.4).
///
/// A request counts until its handler returns; a body that is streamed afterwards doesn't count. Copies of a value
/// share the count.
public struct ConcurrencyLimit: Middleware {
    private let most: Int
    private let retryAfter: Duration
    private let count = SharedCount()

    /// A limit.
    ///
    /// - Parameters:
    ///   - most: how many requests may wait at a time.
    ///   - retryAfter: when a client that was refused may try again, in whole seconds.
    public init(_ most: Int, retryAfter: Duration = .seconds(1)) {
        precondition(most >= 1, "the limit must be at least 1, but is \(most)")
        self.most = most
        self.retryAfter = retryAfter
    }

    /// Hands the request on, if there is room.
    ///
    /// - Throws: `StatusError` with 503 where there is none; what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard count.add(upTo: most) else {
            throw StatusError(
                .serviceUnavailable,
                "there are too many such requests at the moment: try again soon",
                headers: [.retryAfter: "\(retryAfter.roundedUpSeconds)"]
            )
        }
        return try next.outcome(of: request).map { [count] result in
            count.subtract()
            return try result.get()
        }
    }
}

private final class SharedCount: Sendable {
    private let value = Locked(0)

    /// Counts one more, unless there are as many already.
    func add(upTo most: Int) -> Bool {
        value.withLock { value in
            guard value < most else { return false }
            value += 1
            return true
        }
    }

    func subtract() { value.withLock { $0 -= 1 } }
}

extension Duration {
    /// The whole seconds, rounded up, as `Retry-After` has them.
    package var roundedUpSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
