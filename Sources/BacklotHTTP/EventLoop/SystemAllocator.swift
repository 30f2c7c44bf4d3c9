#if canImport(Glibc)
internal import CLinux
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The C library's memory.
enum SystemAllocator {
    /// Lets few arenas hold the memory of all threads. Once, before threads are started.
    ///
    /// glibc gives each thread an arena of its own, up to eight for each processor, and each arena keeps the most that was ever in
    /// use in it. Threads that block come and go, so that a server would grow for hours. `MALLOC_ARENA_MAX` sets another number.
    static let hasFewArenas: Void = {
        #if canImport(Glibc)
        guard unsafe getenv("MALLOC_ARENA_MAX") == nil else { return }
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
