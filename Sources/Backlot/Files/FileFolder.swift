#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder that gives access to its regular files only: no path leads out of it.
///
/// The folder itself stays open. Once a second, it checks whether another folder has taken its place, as some deployments do.
package final class FileFolder: Sendable {
    /// The result of opening a path.
    package enum Entry {
        case file(OpenFile)
        case folder
        /// No file, or no readable file.
        case nothing
        /// Unknown without waiting for the disk.
        case unknown
    }

    private struct State {
        var descriptor: FolderDescriptor
        var looked: ContinuousClock.Instant
    }

    private let path: String
    private let state: Locked<State>

    /// The folder at a path, relative to the working directory unless it begins with `/`; nil if it doesn't exist. The path may be
    /// a symbolic link, but links inside the folder aren't followed.
    package init?(_ path: String) {
        self.path = Self.absolute(path)
        guard let descriptor = FolderDescriptor(self.path) else { return nil }
        state = Locked(State(descriptor: descriptor, looked: .now))
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return unsafe "\(String(cString: current))/\(path)"
    }

    /// Opens the file at a path below the folder, if it is a regular file.
    ///
    /// - Parameters:
    ///   - path: plain names, separated by slashes, as in `FilePath`.
    ///   - mayBlock: whether to wait for the disk; then make the call through `Blocking.run`.
    ///   - time: a small file that last changed before this time keeps its bytes in memory. Its user must call `stillHas` before
    ///     each use.
    /// - Throws: `FileError` if the system can't look, for example because too many files are open.
    package func open(_ path: String, mayBlock: Bool, keptBefore time: FileTime? = nil) throws(FileError) -> Entry {
        let folder = current()
        guard mayBlock || folder.canTellAtOnce else { return .unknown }
        let descriptor = folder.open(path, mayBlock: mayBlock)
        guard descriptor < 0 else {
            return switch OpenFile.take(over: descriptor, isRemote: folder.isRemote, keptBefore: time) {
            case .file(let file): .file(file)
            case .folder: .folder
            case .other: .nothing
            }
        }
        switch errno {
        case EAGAIN where !mayBlock: return .unknown
        // EACCES also means not found: a client that may not read a file need not know that it exists. ELOOP and EXDEV are links,
        // ENXIO is a socket or a device.
        case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, EMLINK, EXDEV, ENXIO, ENODEV, ENAMETOOLONG, EINVAL, EILSEQ:
            return .nothing
        case let code: throw FileError(path: path, code: code)
        }
    }

    /// Whether a file that was found at a path is still there, unchanged since it was opened.
    ///
    /// It hardly ever waits for the disk, which was read a moment ago.
    func stillHas(_ file: OpenFile, at path: String) -> Bool {
        current().identity(at: path) == file.identity
    }

    private func current() -> FolderDescriptor {
        let now = ContinuousClock.now
        let (descriptor, isDue) = state.withLock { state in
            let isDue = now - state.looked >= .seconds(1)
            if isDue { state.looked = now }
            return (state.descriptor, isDue)
        }
        guard isDue, !descriptor.isStill(at: path), let other = FolderDescriptor(path) else { return descriptor }
        state.withLock { $0.descriptor = other }
        return other
    }
}

/// An open folder and the ways to open files below it. It stays open until its last reference is released.
final class FolderDescriptor: Sendable {
    let descriptor: Int32
    private let identity: FileIdentity
    private let support: FolderSupport

    /// nil if `path` isn't a folder.
    init?(_ path: String) {
        descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        unsafe fstat(descriptor, &status)
        identity = FileIdentity(status)
        support = FolderSupport(of: descriptor)
    }

    deinit { close(descriptor) }

    /// Whether reading below the folder may need a network.
    var isRemote: Bool { support.isRemote }

    /// Whether the system can open a file only if it is in memory.
    var canTellAtOnce: Bool { support.opensCached && !isRemote }

    /// Whether this folder is still the one at `path`. A missing path counts as the same folder.
    func isStill(at path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return true }
        return FileIdentity(status).isSameFile(as: identity)
    }

    /// The identity of the file at a path below; nil for a missing file.
    func identity(at path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileIdentity(status)
    }

    /// Opens the file at a path of plain names, without following symbolic links.
    ///
    /// - Parameter mayBlock: whether to wait for the disk. If false, the error EAGAIN means that it would have to wait.
    /// - Returns: a descriptor of anything; or -1, with the reason in `errno`.
    func open(_ path: String, mayBlock: Bool) -> Int32 {
        while true {
            let opened =
                support.opensBeneath
                ? openBeneath(descriptor, path, mayBlock: mayBlock) : openStepwise(descriptor, path)
            if opened >= 0 || errno != EINTR { return opened }
        }
    }
}

/// Opens the names of a path one after the other, and follows no symbolic link.
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
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

/// The calls that the system supports for a folder, probed once when the folder is opened.
struct FolderSupport {
    /// Whether one call opens a whole path and stays inside the folder.
    var opensBeneath = false
    /// Whether such a call can be limited to data in memory.
    var opensCached = false
    /// Whether the folder is on a network file system, or on one that a program provides.
    var isRemote = false
}

/// The path from a folder to a file in it, taken from a request's path.
///
/// It consists of plain names. They aren't empty, don't begin with a dot (so `.` and `..` can't occur), and hold no character that
/// another system treats as a separator.
package struct FilePath: Equatable {
    /// The names, separated by slashes; empty for the folder itself.
    package let name: String
    /// Whether the path ends in a slash, and so means a folder.
    package let meansFolder: Bool

    /// Reads the path of a request.
    ///
    /// - Parameters:
    ///   - path: percent-encoded, as sent by the client.
    ///   - prefix: the path that is served from the folder, without a slash at its end: empty for `/`.
    /// - Returns: nil for a path outside the prefix, or one that can't be a file.
    package init?(_ path: String, below prefix: String) {
        var path = path
        if path.utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = Self.decode(path) else { return nil }
            path = decoded
        }
        // Compares bytes, not characters: strings are equal if they look the same, but file names aren't.
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        var rest = path.utf8.dropFirst(prefix.utf8.count)
        if rest.isEmpty {
            // The path of the folder itself, without a slash.
            (name, meansFolder) = ("", false)
            return
        }
        guard rest.popFirst() == UInt8(ascii: "/") else { return nil }
        if rest.isEmpty {
            (name, meansFolder) = ("", true)
            return
        }
        meansFolder = rest.last == UInt8(ascii: "/")
        if meansFolder { rest = rest.dropLast() }
        guard Self.isPlain(rest) else { return nil }
        name = String(Substring(rest))
    }

    /// Decodes once, segment by segment. An encoded slash doesn't separate segments, and file names can't contain a slash.
    private static func decode(_ path: String) -> String? {
        guard let names = PathSegments.of(path), !names.contains(where: { $0.utf8.contains(UInt8(ascii: "/")) }) else {
            return nil
        }
        return "/" + names.joined(separator: "/")
    }

    private static func isPlain(_ names: Substring.UTF8View) -> Bool {
        var isFirst = true
        for byte in names {
            switch byte {
            case UInt8(ascii: "/"):
                if isFirst { return false }
                isFirst = true
            case UInt8(ascii: "."):
                if isFirst { return false }
            // A backslash separates names for some clients, proxies and systems. NUL ends a path for all of them.
            case UInt8(ascii: "\\"), 0: return false
            default: isFirst = false
            }
        }
        return !isFirst
    }

    /// Whether a text is a valid name.
    static func isPlainName(_ name: String) -> Bool {
        isPlain(name[...].utf8) && !name.utf8.contains(UInt8(ascii: "/"))
    }
}
