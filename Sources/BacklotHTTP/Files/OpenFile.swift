#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A regular file that is open for reading, until the last reference to it is released.
///
/// Checks and reads concern the same file, even if another file takes its name meanwhile.
public final class OpenFile: Sendable {
    let descriptor: Int32
    /// Whether its bytes may have to come over a network.
    let isRemote: Bool
    /// Identifies the file among all on this machine.
    package let identity: FileIdentity
    /// The size when the file was opened, in bytes.
    public let size: Int
    /// The time when the file's bytes were last changed, read on opening. Programs can set it to any time.
    public let modified: FileTime
    /// The time when the file's bytes or metadata were last changed: programs can't set it.
    public let changed: FileTime
    /// All bytes of a small file, if they are kept in memory.
    let kept: [UInt8]?

    /// Opens a file. It may block: do it through `Blocking.run`.
    ///
    /// - Throws: `FileError` when it can't be opened, or isn't a regular file. A FIFO doesn't make it wait.
    public convenience init(_ path: String) throws {
        let descriptor = unsafe open(path, Self.openingFlags)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(path: path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        self.init(descriptor, status, isRemote: false)
    }

    /// Files up to this size, in bytes, are sent with the heads of their responses. It saves a system call, and is cheaper up to
    /// this size.
    static let smallSize = 32 * 1024

    private init(_ descriptor: Int32, _ status: stat, isRemote: Bool, keptBefore time: FileTime? = nil) {
        self.descriptor = descriptor
        self.isRemote = isRemote
        identity = FileIdentity(status)
        size = Int(status.st_size)
        modified = FileTime(modified: status)
        changed = FileTime(changed: status)
        let isOld = if let time { changed < time } else { false }
        kept = isOld && !isRemote && size <= Self.smallSize ? Self.bytes(of: descriptor, count: size) : nil
    }

    deinit {
        close(descriptor)
    }
}

// MARK: Descriptors

extension OpenFile {
    /// The kind of file that a descriptor is open on.
    package enum Kind {
        case file(OpenFile)
        case folder
        case other
    }

    /// Flags for opening any path: without O_NONBLOCK, a FIFO would wait for a writer, and without O_NOCTTY, a terminal could
    /// become the process's own.
    package static let openingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    /// Takes over a descriptor if it is open on a regular file, and closes it otherwise.
    ///
    /// - Parameter time: the bytes of a small file that was changed before this time stay in memory. The caller must check
    ///   whether the file has changed before reusing it. The system counts times in hundredths of a second, so a recently changed
    ///   file may change again without a trace.
    package static func take(over descriptor: Int32, isRemote: Bool, keptBefore time: FileTime? = nil) -> Kind {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
        }
        return .file(OpenFile(descriptor, status, isRemote: isRemote, keptBefore: time))
    }
}

/// A file that could not be read or written.
public struct FileError: Error, Equatable, CustomStringConvertible {
    /// The file; nil if its name isn't known.
    public let path: String?
    /// The value of `errno`.
    public let code: Int32

    /// Creates an error from an `errno` value; `path` is nil if the file's name isn't known.
    public init(path: String?, code: Int32) {
        self.path = path
        self.code = code
    }

    /// Whether the system, or this process, has too many open files or too little memory, which is temporary.
    package var isShortage: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }

    /// The file and the system's reason.
    public var description: String {
        "can't use the file\(path.map { " '\($0)'" } ?? ""): \(SystemErrors.text(code))"
    }
}
