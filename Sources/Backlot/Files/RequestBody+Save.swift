#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

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

    package init(for path: String) throws {
        self.path = path
        partialPath = "\(path).\(UInt64.random(in: .min ... .max)).part"
        descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    }

    deinit {
        close(descriptor)
    }

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

    package func write(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe systemWrite(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            guard count >= 0 || errno == EINTR else { throw FileError(path: path, code: errno) }
            start += max(count, 0)
        }
    }

    /// Gives the file its place; what was there before is replaced.
    ///
    /// - Parameter isDurable: whether its bytes must be on the disk.
    package func finish(isDurable: Bool = true) throws {
        guard !isDurable || fsync(descriptor) == 0, unsafe rename(partialPath, path) == 0 else {
            throw FileError(path: path, code: errno)
        }
    }

    package func discard() {
        Self.remove(partialPath)
    }

    /// Gives a file another place on its file system, once its bytes are on the disk; what was there before is replaced.
    static func move(_ path: String, to other: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, unsafe rename(path, other) == 0 else { throw FileError(path: other, code: errno) }
    }

    static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }
}

/// The system's `write`, which `PartialFile.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
