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

    /// What `errno` says about a file, which may have no name that is known.
    public init(path: String?, code: Int32) {
        self.path = path
        self.code = code
    }

    /// Whether the system, or this process, has too many files open or too little memory: that passes.
    package var isShortage: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }

    /// What failed, and why.
    public var description: String {
        "can't use the file\(path.map { " '\($0)'" } ?? ""): \(SystemErrors.text(code))"
    }
}
