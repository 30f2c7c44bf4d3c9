#if canImport(Glibc)
internal import CLinux
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The C library's memory.
enum SystemAllocator {
    /// Limits how many arenas are made from now on to hold the memory of threads.
    ///
    /// glibc gives each thread an arena of its own, up to eight for each processor, and each arena keeps the most that was ever in
    /// use in it. Threads that block come and go, so that a server would grow for hours. `MALLOC_ARENA_MAX` and `GLIBC_TUNABLES` set
    /// another number.
    static let hasFewArenas: Void = {
        #if canImport(Glibc)
        let tunables = unsafe getenv("GLIBC_TUNABLES").map { unsafe String(cString: $0) } ?? ""
        guard unsafe getenv("MALLOC_ARENA_MAX") == nil, !tunables.contains("glibc.malloc.arena_max") else { return }
        malloc_arenas(Int32(Processors.count + 1))
        #endif
    }()

    /// Gives freed memory that is kept for later back to the system. It takes some milliseconds per gigabyte, and may run on any
    /// thread.
    static func giveBack() {
        #if canImport(Glibc)
        malloc_trim(0)
        #elseif canImport(Darwin)
        malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}
