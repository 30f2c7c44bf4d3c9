internal import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The disk space for incomplete uploads, and for the files of forms that are still in use. It keeps clients that never finish from
/// filling the disk.
public final class UploadBudget: Sendable {
    /// The budget of all uploads without another budget: 512 MB.
    public static let shared = UploadBudget(bytes: 512 << 20)

    private let state: Locked<(limit: Int, used: Int)>

    /// Creates a separate budget, for one kind of upload.
    ///
    /// - Parameter bytes: the maximum number of bytes of all of them together.
    public init(bytes: Int) { state = Locked((bytes, 0)) }

    /// The maximum number of bytes. An upload that exceeds the rest gets 503, and one that is larger alone gets 413.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Takes `count` bytes for a file of `size` bytes.
    fileprivate func take(_ count: Int, for size: Int) throws {
        try state.withLock { state in
            guard size + count <= state.limit else { throw RequestError.bodyTooLarge(limit: state.limit) }
            guard state.used + count <= state.limit else { throw UploadError.tooManyUploads }
            state.used += count
        }
    }

    fileprivate func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}

/// The part of a budget that belongs to a file, until the part is released.
final class UploadShare: Sendable {
    private let budget: UploadBudget
    private let size = Locked(0)

    init(_ budget: UploadBudget) { self.budget = budget }

    /// Takes a part for further bytes of the file, before they are written.
    func grow(by count: Int) throws {
        try size.withLock { size in
            try budget.take(count, for: size)
            size += count
        }
    }

    deinit { budget.giveBack(size.withLock { $0 }) }
}

/// The error for an upload without room on the server.
public enum UploadError: HTTPError, Equatable {
    /// The current uploads take all of their ``UploadBudget``.
    case tooManyUploads
    /// The disk is full, or a system limit on files is reached. The log names the file.
    case diskFull

    /// 503, or 507 (RFC 4918, section 11.5).
    public var status: HTTPResponse.Status {
        switch self {
        case .tooManyUploads: .serviceUnavailable
        case .diskFull: .insufficientStorage
        }
    }

    /// The reason, for people.
    public var reason: String {
        switch self {
        case .tooManyUploads: "the server is receiving too many uploads: try again later"
        case .diskFull: "the server's disk has no room for this upload"
        }
    }

    /// `Retry-After` (RFC 9110, section 10.2.3) for 503.
    public var headers: HTTPFields { self == .tooManyUploads ? [.retryAfter: "10"] : [:] }

    /// Runs an operation on an upload's file; an error for lack of space becomes `diskFull`.
    static func checkingDisk<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileError where [ENOSPC, EDQUOT, EFBIG].contains(error.code) {
            Logger(label: "backlot.uploads").error("an upload couldn't be kept: \(error)")
            throw diskFull
        }
    }
}

extension HTTPResponse.Status {
    /// 507 (RFC 4918, section 11.5).
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension RequestBody {
    /// Streams the body to a file.
    ///
    /// The bytes go to another name beside `path` and take that name once they are complete. A body that is cut short or too large
    /// leaves no file behind, and the previous file at `path` stays.
    ///
    /// - Parameters:
    ///   - path: the path for the file; its folder must exist.
    ///   - budget: the disk space for incomplete files.
    /// - Returns: the file's size in bytes.
    /// - Throws: `RequestError` if the body is too large, late or cut short; ``UploadError`` if there is no room; `FileError` if
    ///   the file can't be written for another reason.
    @discardableResult
    public func save(to path: String, within budget: UploadBudget = .shared) async throws -> Int {
        var pieces = makeAsyncIterator()
        return try await PartialFile.save(to: path, share: UploadShare(budget)) { try await pieces.next() }
    }
}

/// A file that is being written, beside its final path.
package final class PartialFile: Sendable {
    private let path: String
    private let partialPath: String
    private let descriptor: Int32

    /// - Parameter isPrivate: whether only its owner may read and write it.
    package init(for path: String, isPrivate: Bool = true) throws(FileError) {
        self.path = path
        partialPath = "\(path).\(UInt64.random(in: .min ... .max)).part"
        descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    }

    deinit { close(descriptor) }

    /// Writes the pieces of an upload to a file, like `RequestBody.save`.
    ///
    /// - Parameters:
    ///   - share: the file's part of a budget.
    ///   - isDurable: whether the bytes must be on the disk before this returns.
    ///   - next: the next piece; nil at the end.
    static func save(
        to path: String,
        share: UploadShare,
        isDurable: Bool = true,
        _ next: () async throws -> [UInt8]?
    ) async throws -> Int {
        let file = try await Blocking.run { try UploadError.checkingDisk { try PartialFile(for: path) } }
        var size = 0
        do {
            while let piece = try await next() {
                size += piece.count
                try share.grow(by: piece.count)
                try await Blocking.run { try UploadError.checkingDisk { try file.write(piece) } }
            }
            try await Blocking.run { try UploadError.checkingDisk { try file.finish(isDurable: isDurable) } }
            return size
        } catch {
            try await Blocking.run { file.discard() }
            throw error
        }
    }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        if let code = Descriptor.write(bytes, to: descriptor) { throw FileError(path: path, code: code) }
    }

    /// Moves the file to its final path, and replaces the previous file there.
    ///
    /// - Parameter isDurable: whether its bytes must be on the disk.
    package func finish(isDurable: Bool = true) throws(FileError) {
        guard !isDurable || fsync(descriptor) == 0, unsafe rename(partialPath, path) == 0 else {
            throw FileError(path: path, code: errno)
        }
    }

    package func discard() { Self.remove(partialPath) }

    /// Writes a file. Readers see either the old file or the new one, never a part.
    package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = true) throws(FileError) {
        let file = try PartialFile(for: path, isPrivate: isPrivate)
        do throws(FileError) {
            try file.write(bytes)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Moves a file to another path on its file system, once its bytes are on the disk, and replaces the previous file there.
    static func move(_ path: String, to other: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, unsafe rename(path, other) == 0 else { throw FileError(path: other, code: errno) }
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }
}

/// Writes to descriptors of the system.
package enum Descriptor {
    /// Writes all bytes, however slow the reader is.
    ///
    /// - Returns: the system's error; nil when all are written.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe systemWrite(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&room, 1, 1000)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

/// The system's `write`, which methods of that name hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
