#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The `errno` values that the server tells apart, and the system's words for any of them.
enum SystemErrors {
    static let accessDenied = EACCES
    static let addressInUse = EADDRINUSE
    static let addressNotAvailable = EADDRNOTAVAIL
    static let tooManyOpenFiles = EMFILE
    static let tooManyOpenFilesInSystem = ENFILE

    /// The system's one-line explanation of an `errno` value, or its number where there is none.
    static func text(_ code: Int32) -> String {
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: words)
    }
}
