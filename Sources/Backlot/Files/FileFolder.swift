#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder whose regular files may be read, and nothing else: no way leads out of it.
///
/// The folder itself stays open. Once a second it is looked whether another has taken its place, as some deployments do it.
package final class FileFolder: Sendable {
    /// What stands at a path.
    package enum Entry {
        case file(OpenFile)
        case folder
        /// Nothing, or nothing that may be read.
        case nothing
        /// It can't be said without waiting for the disk.
        case unknown
    }

    private struct State {
        var descriptor: FolderDescriptor
        var looked: ContinuousClock.Instant
    }

    private let path: String
    private let state: Locked<State>

    /// The folder at a path, from the working directory unless it begins with `/`; nil when it doesn't exist. A symbolic link may
    /// lead to it, but none below it is followed.
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

    /// Looks what stands at a path below the folder, and opens it if it is a regular file.
    ///
    /// - Parameters:
    ///   - path: plain names with slashes between them, as in `FilePath`.
    ///   - mayBlock: whether to wait for the disk; make the call through `Blocking.run` then.
    ///   - time: the bytes of a small file that was changed before it stay in memory, for a caller that calls `stillHas` before each
    ///     use.
    /// - Throws: `FileError` when the system can't tell, for example because too many files are open.
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
        // EACCES is one of them: who may not read a file need not know that there is one. ELOOP and EXDEV are links, ENXIO is
        // a socket or a device.
        case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, EMLINK, EXDEV, ENXIO, ENODEV, ENAMETOOLONG, EINVAL, EILSEQ:
            return .nothing
        case let code: throw FileError(path: path, code: code)
        }
    }

    /// Whether a file that was found at a path still stands there, unchanged since it was opened.
    ///
    /// It hardly ever waits for the disk: it was here a moment ago.
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

    deinit { close(descriptor) }

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
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

/// The calls that the system supports for a folder, found out once when the folder is opened.
struct FolderSupport {
    /// Whether one call opens a whole path, and keeps to the folder.
    var opensBeneath = false
    /// Whether such a call can be made that never waits for the disk.
    var opensCached = false
    /// Whether the folder is in a file system of the network, or in one that a program makes.
    var isRemote = false
}

/// The way from a folder to a file in it, out of the path of a request.
///
/// It consists of plain names: none is empty, none begins with a dot (so `.` and `..` can't occur), and none holds a character
/// that another system takes for a separator.
package struct FilePath: Equatable {
    /// The names, with slashes between them; empty for the folder itself.
    package let name: String
    /// Whether it ends in a slash, and so means a folder.
    package let meansFolder: Bool

    /// Reads the path of a request.
    ///
    /// - Parameters:
    ///   - path: percent-encoded, as it was sent.
    ///   - prefix: the path that the folder stands for, without a slash at its end: empty for `/`.
    /// - Returns: nil when it isn't below the prefix, or no file can be meant by it.
    package init?(_ path: String, below prefix: String) {
        var path = path
        if path.utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = Self.decode(path) else { return nil }
            path = decoded
        }
        // Bytes, not characters: strings are equal when they look the same, and files aren't.
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        var rest = path.utf8.dropFirst(prefix.utf8.count)
        if rest.isEmpty {
            // The path that the folder stands for, without a slash.
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

    /// Decodes once, segment by segment: a slash that was encoded would be one that separates nothing, and no name has one.
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

    /// Whether a text can be one of the names.
    static func isPlainName(_ name: String) -> Bool {
        isPlain(name[...].utf8) && !name.utf8.contains(UInt8(ascii: "/"))
    }
}
