internal import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The room on the disk for uploads that aren't complete, and for forms' files while something holds them: clients that never finish
/// can't fill the disk.
public final class UploadBudget: Sendable {
    /// The budget of all uploads that name no other: 512 MB.
    public static let shared = UploadBudget(bytes: 512 << 20)

    private let state: Locked<(limit: Int, used: Int)>

    /// A separate budget, for a kind of uploads.
    ///
    /// - Parameter bytes: the most bytes of all of them together.
    public init(bytes: Int) { state = Locked((bytes, 0)) }

    /// The most bytes. An upload beyond it gets 503, and one that alone is larger 413.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Takes `count` bytes for a file that has `size` bytes.
    fileprivate func take(_ count: Int, for size: Int) throws {
        try state.withLock { state in
            guard size + count <= state.limit else { throw RequestError.bodyTooLarge(limit: state.limit) }
            guard state.used + count <= state.limit else { throw UploadError.tooManyUploads }
            state.used += count
        }
    }

    fileprivate func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}

/// The part of a budget that a file takes, until nothing holds the part any more.
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

/// An upload that the server has no room for.
public enum UploadError: HTTPError, Equatable {
    /// The uploads that are on their way take all of their ``UploadBudget``.
    case tooManyUploads
    /// The disk is full, or a limit of the system on files is reached. The log has the file.
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
        case .tooManyUploads: "the server takes too many uploads at the moment: try again later"
        case .diskFull: "the server's disk has no room for this upload"
        }
    }

    /// `Retry-After` (RFC 9110, section 10.2.3) for 503.
    public var headers: HTTPFields { self == .tooManyUploads ? [.retryAfter: "10"] : [:] }

    /// Does something with an upload's file; an error for want of room becomes `diskFull`.
    static func checkingDisk<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileError where [ENOSPC, EDQUOT, EFBIG].contains(error.code) {
            Logger(label: "backlot.uploads").error("an upload isn't kept: \(error)")
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
    /// It is written under another name beside `path`, and takes that name only once it is whole: a body that arrives
    /// only in part, or is too large, leaves nothing behind, and what was at `path` before stays.
    ///
    /// - Parameters:
    ///   - path: where the file will be; its folder must exist.
    ///   - budget: the room for files that aren't complete.
    /// - Returns: the file's size in bytes.
    /// - Throws: `RequestError` when the body is too large, late or cut short; ``UploadError`` when there is no room; `FileError` when
    ///   the file can't be written for another reason.
    @discardableResult
    public func save(to path: String, within budget: UploadBudget = .shared) async throws -> Int {
        var pieces = makeAsyncIterator()
        return try await PartialFile.save(to: path, share: UploadShare(budget)) { try await pieces.next() }
    }
}

/// A file that is being written, beside the place that it will take.
package final class PartialFile: Sendable {
    private let path: String
    private let partialPath: String
    private let descriptor: Int32

    package init(for path: String) throws(FileError) {
        self.path = path
        partialPath = "\(path).\(UInt64.random(in: .min ... .max)).part"
        descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    }

    deinit { close(descriptor) }

    /// Streams the pieces of an upload to a file; otherwise as `RequestBody.save`.
    ///
    /// - Parameters:
    ///   - share: the file's part of a budget.
    ///   - isDurable: whether the bytes must be on the disk when this returns.
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

    /// Gives the file its place; what was there before is replaced.
    ///
    /// - Parameter isDurable: whether its bytes must be on the disk.
    package func finish(isDurable: Bool = true) throws(FileError) {
        guard !isDurable || fsync(descriptor) == 0, unsafe rename(partialPath, path) == 0 else {
            throw FileError(path: path, code: errno)
        }
    }

    package func discard() { Self.remove(partialPath) }

    /// Writes a file. Whoever reads it sees the old one or the new one, whole.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try PartialFile(for: path)
        do throws(FileError) {
            try file.write(bytes)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Gives a file another place on its file system, once its bytes are on the disk; what was there before is replaced.
    static func move(_ path: String, to other: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, unsafe rename(path, other) == 0 else { throw FileError(path: other, code: errno) }
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }
}

/// Writing to descriptors of the system.
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
