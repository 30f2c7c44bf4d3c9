#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A moment as a file system keeps it: exact to the nanosecond, or as exactly as that system can.
public struct FileTime: Hashable, Sendable, Comparable {
    /// Whole seconds since 1970 began in UTC; negative before.
    public var seconds: Int
    /// Nanoseconds since that second began.
    public var nanoseconds: Int

    /// A moment.
    public init(seconds: Int, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    init(_ time: timespec) {
        self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    /// When a file's bytes were changed last.
    init(modified status: stat) {
        #if canImport(Darwin)
        self.init(status.st_mtimespec)
        #else
        self.init(status.st_mtim)
        #endif
    }

    /// When a file's bytes, or what the system notes about it, were changed last.
    init(changed status: stat) {
        #if canImport(Darwin)
        self.init(status.st_ctimespec)
        #else
        self.init(status.st_ctim)
        #endif
    }

    /// The time now.
    public static var now: FileTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    /// Whether one moment is before another.
    public static func < (left: FileTime, right: FileTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
