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
    /// - Throws: `FileError` when the system can't tell, for example because too many files are open.
    package func open(_ path: String, mayBlock: Bool) throws(FileError) -> Entry {
        let folder = current()
        guard mayBlock || folder.canTellAtOnce else { return .unknown }
        let descriptor = folder.open(path, mayBlock: mayBlock)
        guard descriptor < 0 else {
            return switch OpenFile.take(over: descriptor, isRemote: folder.isRemote) {
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
