#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder whose regular files may be read, and nothing else: no way leads out of it.
///
/// All calls block; make them through `Blocking.run`.
struct FileFolder: Sendable {
    let path: String

    /// nil when there is no such folder.
    init?(_ path: String) {
        let descriptor = openPath(path, O_DIRECTORY)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        self.path = path
    }

    /// Opens a regular file below the folder.
    ///
    /// Each name on the way is opened on its own, and symbolic links are not followed.
    ///
    /// - Parameter names: the names of the folders on the way, and of the file.
    /// - Returns: nil when a name is hidden (begins with a dot) or not a name, or when there is no regular file.
    func open(_ names: [String]) -> OpenFile? {
        guard !names.isEmpty, names.allSatisfy(Self.isVisible) else { return nil }
        var folder = openPath(path, O_DIRECTORY)
        for name in names.dropLast() where folder >= 0 {
            let next = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(folder)
            folder = next
        }
        guard folder >= 0, let name = names.last else { return nil }
        defer { close(folder) }
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        let descriptor = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        return descriptor >= 0 ? OpenFile(descriptor) : nil
    }

    private static func isVisible(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

/// A regular file that is open for reading, until the last reference to it is gone.
final class OpenFile: Sendable {
    private let descriptor: Int32
    /// The size when the file was opened, in bytes.
    let size: Int

    /// nil, with the descriptor closed, when it is anything but a regular file.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes from `offset` on; fewer at the file's end.
    ///
    /// - Throws: `FileError` when the system can't read it.
    func read(_ count: Int, from offset: Int) throws -> [UInt8] {
        var failure: Int32?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let result = unsafe pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: initialized),
                    count - initialized,
                    off_t(offset + initialized)
                )
                if result > 0 {
                    initialized += result
                } else if result == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if let failure { throw FileError(path: nil, code: failure) }
        return bytes
    }
}

/// The system's `open`, which `FileFolder.open` hides.
private func openPath(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
}
