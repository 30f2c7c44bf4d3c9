#if os(Linux)
internal import CLinux
#else
internal import Darwin
#endif

/// Lets two folders change places, so that nobody finds neither.
package enum FolderExchange {
    /// - Returns: false where the system or the disk can't do it in one step. Nothing has changed then.
    package static func run(_ path: String, _ other: String) -> Bool {
        #if os(Linux)
        unsafe exchange_paths(path, other) == 0
        #else
        unsafe renamex_np(path, other, UInt32(RENAME_SWAP)) == 0
        #endif
    }
}
