/// By what a file is seen to have changed.
struct FileStamp: Equatable, Sendable {
    let number: UInt64
    let size: Int64
    /// Nanoseconds since 1970, of the bytes and of what the system notes about the file.
    let modified: Int64
    let changed: Int64
}
