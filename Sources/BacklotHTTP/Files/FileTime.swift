#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A moment in a file system, as exactly as that keeps it.
public struct FileTime: Hashable, Sendable {
    /// Whole seconds since 1970 began in UTC; negative before.
    public var seconds: Int
    /// Nanoseconds since that second began.
    public var nanoseconds: Int

    /// A moment.
    public init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// When a file was changed last.
    init(_ status: stat) {
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }
}
