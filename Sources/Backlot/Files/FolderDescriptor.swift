#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder that is open, until the last reference to it is gone, and the ways to open what is below it.
final class FolderDescriptor: Sendable {
    let descriptor: Int32
    private let identity: FileIdentity
    private let support: FolderSupport

    /// nil when there is no folder at `path`.
    init?(_ path: String) {
        descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        unsafe fstat(descriptor, &status)
        identity = FileIdentity(status)
        support = FolderSupport(of: descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Whether what is below may have to come over a network.
    var isRemote: Bool { support.isRemote }

    /// Whether the system can be asked for what it has in memory.
    var canTellAtOnce: Bool { support.opensCached && !isRemote }

    /// Whether it is this folder that stands at `path`. Where there is nothing at the moment, it is.
    func isStill(at path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return true }
        return FileIdentity(status).isSameFile(as: identity)
    }

    /// What stands at a path below; nil when that is nothing.
    func identity(at path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileIdentity(status)
    }

    /// Opens what plain names lead to, without following symbolic links.
    ///
    /// - Parameter mayBlock: whether to wait for the disk. Else EAGAIN says that it would take that.
    /// - Returns: a descriptor, of anything; or -1, and `errno` says why.
    func open(_ path: String, mayBlock: Bool) -> Int32 {
        while true {
            let opened =
                support.opensBeneath
                ? openBeneath(descriptor, path, mayBlock: mayBlock) : openStepwise(descriptor, path)
            if opened >= 0 || errno != EINTR { return opened }
        }
    }
}

/// Opens each name on the way in turn, and follows no symbolic link.
func openStepwise(_ root: Int32, _ path: String) -> Int32 {
    let names = path.split(separator: "/").map(String.init)
    var folder = root
    defer { if folder != root { closeKeepingError(folder) } }
    for name in names.dropLast() {
        let next = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard next >= 0 else { return -1 }
        if folder != root { close(folder) }
        folder = next
    }
    return unsafe openat(folder, names.last ?? ".", OpenFile.openingFlags | O_NOFOLLOW)
}

private func closeKeepingError(_ descriptor: Int32) {
    let code = errno
    close(descriptor)
    errno = code
}

/// The system's `open`, which `FolderDescriptor.open` hides.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags)
}

/// The calls that the system supports for a folder, found out once when the folder is opened.
struct FolderSupport {
    /// Whether one call opens a whole path, and keeps to the folder.
    var opensBeneath = false
    /// Whether such a call can be made that never waits for the disk.
    var opensCached = false
    /// Whether the folder is in a file system of the network, or in one that a program makes.
    var isRemote = false
}
