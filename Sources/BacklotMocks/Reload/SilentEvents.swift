#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Hears nothing: what changes is found by looking.
struct SilentEvents: FolderEvents {
    func watch(_ folders: [String]) {}

    func wait(milliseconds: Int) -> Bool {
        _ = poll(nil, 0, Int32(milliseconds))
        return false
    }
}
