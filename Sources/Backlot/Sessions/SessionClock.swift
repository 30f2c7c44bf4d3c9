#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where sessions take the time from: the system's clock, or in tests one that is set by hand.
public struct SessionClock: Sendable {
    /// The system's clock.
    public static let system = SessionClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec
    }

    private let read: @Sendable () -> Int

    /// A clock that asks `read` for the whole seconds since 1970 began in UTC.
    public init(_ read: @escaping @Sendable () -> Int) {
        self.read = read
    }

    /// Now, in whole seconds since 1970 began in UTC.
    public var secondsSince1970: Int { read() }
}
