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

/// The processors of the machine.
package enum Processors {
    /// How many this process may run on: a container, or `taskset`, may leave it fewer than there are.
    package static var count: Int {
        #if os(Linux)
        let allowed = Int(processors_allowed())
        if allowed > 0 { return allowed }
        #endif
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
