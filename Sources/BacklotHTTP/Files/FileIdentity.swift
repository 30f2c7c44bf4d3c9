#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// A file and its state: two equal values mean the same file, unchanged in between.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t
    private let size: off_t
    private let modified: FileTime
    private let changed: FileTime

    /// The file that `status` describes.
    package init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
        size = status.st_size
        modified = FileTime(modified: status)
        changed = FileTime(changed: status)
    }

    /// Whether both are the same file, changed or not.
    package func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && number == other.number
    }
}

/// A moment recorded by a file system, exact to the nanosecond or to the resolution of that file system.
public struct FileTime: Hashable, Sendable, Comparable {
    /// Whole seconds since 1970-01-01 in UTC; negative before.
    public var seconds: Int
    /// Nanoseconds since that second began.
    public var nanoseconds: Int

    /// Creates a moment.
    public init(seconds: Int, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    init(_ time: timespec) {
        self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    /// The time when a file's bytes were last changed.
    init(modified status: stat) {
        #if canImport(Darwin)
        self.init(status.st_mtimespec)
        #else
        self.init(status.st_mtim)
        #endif
    }

    /// The time when a file's bytes or metadata were last changed.
    init(changed status: stat) {
        #if canImport(Darwin)
        self.init(status.st_ctimespec)
        #else
        self.init(status.st_ctim)
        #endif
    }

    /// The current time.
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
