internal import BacklotHTTP

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
        return descriptor >= 0 ? OpenFile(takingOver: descriptor) : nil
    }

    private static func isVisible(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

/// The system's `open`, which `FileFolder.open` hides.
private func openPath(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
}
