#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A failed system call on a socket.
public struct SocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system call, for example `bind`.
    public let call: String
    /// The value of `errno` after the call.
    public let code: Int32
    /// The address or host that the call concerned; nil without one.
    public let address: String?

    init(call: String, code: Int32, address: String? = nil) {
        self.call = call
        self.code = code
        self.address = address
    }

    /// The call, its address and the system's reason, in one line.
    public var description: String {
        let subject = address.map { " \($0)" } ?? ""
        return "\(call)\(subject): \(SystemErrors.text(code))\(hint)"
    }

    private var hint: String {
        switch (call, code) {
        case ("bind", SystemErrors.addressInUse): " (another program listens there: stop it, or choose another port)"
        case ("bind", SystemErrors.accessDenied): " (ports below 1024 need a privilege: choose a higher one)"
        case ("bind", SystemErrors.addressNotAvailable): " (no network interface of this machine has that address)"
        default: ""
        }
    }
}

/// The `errno` values that the server distinguishes, and the system's explanation of any value.
package enum SystemErrors {
    static let accessDenied = EACCES
    static let addressInUse = EADDRINUSE
    package static let addressNotAvailable = EADDRNOTAVAIL
    package static let tooManyOpenFiles = EMFILE
    static let tooManyOpenFilesInSystem = ENFILE

    /// The system's one-line explanation of an `errno` value, or its number if the system has no explanation.
    package static func text(_ code: Int32) -> String {
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: words)
    }
}
