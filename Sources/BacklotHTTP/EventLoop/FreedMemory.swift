#if canImport(Glibc)
internal import CLinux
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Memory that was freed, and that the C library keeps for later.
enum FreedMemory {
    /// Gives it back to the system. It takes some milliseconds per gigabyte, and may run on any thread.
    static func giveBack() {
        #if canImport(Glibc)
        malloc_trim(0)
        #elseif canImport(Darwin)
        malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}
