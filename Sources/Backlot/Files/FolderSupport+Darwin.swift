#if canImport(Darwin)
internal import Darwin

extension FolderSupport {
    init(of folder: Int32) {
        var system = statfs()
        if unsafe fstatfs(folder, &system) == 0 { isRemote = system.f_flags & UInt32(MNT_LOCAL) == 0 }
    }
}

/// Fails: Darwin has no such call.
func openBeneath(_ folder: Int32, _ path: String, mayBlock: Bool) -> Int32 {
    errno = ENOSYS
    return -1
}
#endif
