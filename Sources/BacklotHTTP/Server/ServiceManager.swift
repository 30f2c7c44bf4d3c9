#if os(Linux)
internal import CLinux
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What this process tells systemd, if systemd has started it with `Type=notify` (sd_notify(3)). Elsewhere nothing happens.
package enum ServiceManager: String {
    /// The server accepts connections.
    case ready = "READY=1"
    /// The server finishes what is in flight.
    case stopping = "STOPPING=1"

    /// Tells it.
    ///
    /// - Returns: whether a service manager has got it.
    @discardableResult
    package func tell() -> Bool {
        #if os(Linux)
        guard let path = unsafe getenv("NOTIFY_SOCKET") else { return false }
        return unsafe notify_service_manager(path, rawValue) == 0
        #else
        return false
        #endif
    }
}
