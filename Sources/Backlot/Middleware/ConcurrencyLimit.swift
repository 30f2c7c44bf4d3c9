/// Limits the number of requests that wait for their handlers at a time, such as handlers that make a report:
/// `router.with(ConcurrencyLimit(4)).get("/report") { … }`. Further requests get 503 and `Retry-After` (RFC 9110, section 15.6.4).
///
/// A request counts until its handler returns; a body that is streamed afterwards doesn't count. Copies of a value share the count.
///
/// ```swift
/// router.with(ConcurrencyLimit(4)).get("/report") { _ in "takes long" }
/// ```
public struct ConcurrencyLimit: Middleware {
    private let most: Int
    private let retryAfter: Duration
    private let count = SharedCount()

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - most: the maximum number of waiting requests.
    ///   - retryAfter: the time before a refused client may try again, in whole seconds.
    public init(_ most: Int, retryAfter: Duration = .seconds(1)) {
        precondition(most >= 1, "the limit must be at least 1, but is \(most)")
        self.most = most
        self.retryAfter = retryAfter
    }

    /// Passes the request on, if there is room.
    ///
    /// - Throws: `StatusError` with 503 if there isn't; the errors of `next`.
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

    /// Adds one to the count, unless it has reached the limit.
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
    /// The whole seconds, rounded up, for `Retry-After`.
    package var roundedUpSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
