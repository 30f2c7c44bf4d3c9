#if os(Linux)
internal import CLinux
internal import Glibc

extension FolderSupport {
    /// The magic numbers of network file systems (statfs(2)): NFS, three variants of SMB, FUSE, 9P, Ceph, AFS and Lustre.
    private static let remote: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400, 0x5346_414F, 0x0BD0_0BD0,
    ]

    init(of folder: Int32) {
        opensBeneath = Self.succeeds(opening: folder, mayBlock: true)
        opensCached = opensBeneath && Self.succeeds(opening: folder, mayBlock: false)
        var system = statfs()
        if unsafe fstatfs(folder, &system) == 0 {
            isRemote = Self.remote.contains(UInt32(truncatingIfNeeded: system.f_type))
        }
    }

    /// Tries the call, because an old kernel or a sandbox may refuse it, with various errors.
    private static func succeeds(opening folder: Int32, mayBlock: Bool) -> Bool {
        let descriptor = openBeneath(folder, ".", mayBlock: mayBlock)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0 || (errno == EAGAIN && !mayBlock)
    }
}

/// Opens the file at a path below a folder in one call, which can't leave the folder.
func openBeneath(_ folder: Int32, _ path: String, mayBlock: Bool) -> Int32 {
    unsafe open_beneath(folder, path, OpenFile.openingFlags, mayBlock ? 0 : 1)
}

/// Swaps two folders atomically, so that readers of a path always find one of them.
package enum AtomicFolderSwap {
    /// - Returns: false if the system or the disk can't swap atomically. The folders are then unchanged.
    package static func run(_ path: String, _ other: String) -> Bool {
        unsafe exchange_paths(path, other) == 0
    }
}
#endif
