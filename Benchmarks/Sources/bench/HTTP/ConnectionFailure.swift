import Glibc

/// A socket call that failed, or took too long.
struct ConnectionFailure: Error, CustomStringConvertible {
    /// What was being done.
    let step: String
    /// The system's error number; ETIMEDOUT when it took too long.
    let number: Int32

    /// All local ports of the source address are taken.
    var outOfPorts: Bool { number == EADDRNOTAVAIL || number == EADDRINUSE }

    var description: String {
        "\(step): \(unsafe String(cString: strerror(number)))"
    }
}
