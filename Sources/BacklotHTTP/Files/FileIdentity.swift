#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// Which file something is, and in which state: two that are equal are the same file, and it hasn't been changed between.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t
    private let size: off_t
    private let modified: FileTime
    private let changed: FileTime

    /// The file that the system has told this of.
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
