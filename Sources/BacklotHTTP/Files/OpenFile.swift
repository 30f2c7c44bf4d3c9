#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A regular file that is open for reading, until the last reference to it is gone.
///
/// What was checked is what is read: a file that takes its name meanwhile changes nothing here.
public final class OpenFile: Sendable {
    let descriptor: Int32
    /// The size when the file was opened, in bytes.
    public let size: Int
    /// When the file was changed last, as it was when it was opened.
    public let modified: FileTime

    /// Takes a descriptor over, and closes it in the end.
    ///
    /// - Returns: nil, with the descriptor closed, when it is anything but a regular file.
    package convenience init?(takingOver descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.init(descriptor, status)
    }

    private init(_ descriptor: Int32, _ status: stat) {
        self.descriptor = descriptor
        size = Int(status.st_size)
        modified = FileTime(status)
    }

    /// Opens a file. It may block: do it through `Blocking.run`.
    ///
    /// - Throws: `FileError` when it can't be opened, or is anything but a regular file. A FIFO doesn't keep it waiting.
    public convenience init(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(path: path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        self.init(descriptor, status)
    }

    deinit {
        close(descriptor)
    }
}
