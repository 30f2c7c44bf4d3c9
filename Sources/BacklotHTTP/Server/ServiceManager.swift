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

/// The states that a server reports to systemd, for units with `Type=notify` (sd_notify(3)).
package enum ServiceManager: String {
    /// The server accepts connections.
    case ready = "READY=1"
    /// The server finishes its current requests.
    case stopping = "STOPPING=1"

    /// Reports the state. Without systemd, it does nothing.
    ///
    /// - Returns: whether a service manager has received it.
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
