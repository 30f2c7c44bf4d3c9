#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that could not be read or written.
public struct FileError: Error, Equatable, CustomStringConvertible {
    /// The file, where it is known by name.
    public let path: String?
    /// The value of `errno`.
    public let code: Int32

    /// What failed, and why.
    public var description: String {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "can't use the file\(path.map { " '\($0)'" } ?? ""): \(reason)"
    }
}
