#if canImport(Darwin)
internal import Darwin

extension FolderSupport {
    init(of folder: Int32) {
        var system = statfs()
        if unsafe fstatfs(folder, &system) == 0 { isRemote = system.f_flags & UInt32(MNT_LOCAL) == 0 }
    }
}

/// Always fails: Darwin has no such call.
func openBeneath(_ folder: Int32, _ path: String, mayBlock: Bool) -> Int32 {
    errno = ENOSYS
    return -1
}

/// Swaps two folders in one step, so that readers always find one of them.
package enum AtomicFolderSwap {
    /// - Returns: false if the system or the disk can't swap atomically. The folders are then unchanged.
    package static func run(_ path: String, _ other: String) -> Bool {
        unsafe renamex_np(path, other, UInt32(RENAME_SWAP)) == 0
    }
}
#endif
