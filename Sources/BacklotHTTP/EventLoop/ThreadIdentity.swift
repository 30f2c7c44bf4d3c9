#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Which thread something runs on.
struct ThreadIdentity: Equatable, Sendable {
    /// A number that no other thread has, and that is not 0.
    let value: UInt

    /// The caller's thread.
    static var current: ThreadIdentity {
        #if canImport(Darwin)
        ThreadIdentity(value: unsafe UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(value: UInt(pthread_self()))
        #endif
    }
}
