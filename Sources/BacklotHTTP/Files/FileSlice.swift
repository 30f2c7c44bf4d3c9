/// Consecutive bytes of an open file, for the body of a response.
public struct FileSlice: Sendable {
    /// The file.
    public let file: OpenFile
    /// The start of the slice in the file.
    public let offset: Int
    /// The number of bytes in the slice.
    public let count: Int

    /// Creates a slice of a whole file.
    public init(_ file: OpenFile) {
        self.init(file, 0..<file.size)
    }

    /// Creates a slice of part of a file; `range` must lie in `0..<file.size`.
    public init(_ file: OpenFile, _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= file.size, "a slice must lie in its file")
        self.file = file
        offset = range.lowerBound
        count = range.count
    }

    /// Reads up to `count` bytes of the slice. It may block: do it through `Blocking.run`.
    ///
    /// - Parameter start: the first byte to read, counted from the start of the slice.
    /// - Returns: fewer bytes than requested at the end of the slice, or if the file has become shorter since it was opened.
    /// - Throws: `FileError` when the system can't read it.
    public func read(_ count: Int, from start: Int) throws -> [UInt8] {
        try read(count, from: start, mayBlock: true) ?? []
    }

    /// Reads like `read`, but only from the system's memory: it never blocks.
    ///
    /// - Returns: nil when some of the bytes are not in memory, or the system can't tell. Use `read` then.
    public func readAtOnce(_ count: Int, from start: Int) throws -> [UInt8]? {
        try read(count, from: start, mayBlock: false)
    }

    private func read(_ count: Int, from start: Int, mayBlock: Bool) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        return try file.read(within(count, from: start), into: &bytes, mayBlock: mayBlock) == nil ? nil : bytes
    }

    /// The range of the file that contains `count` bytes of the slice from `start` on.
    func within(_ count: Int, from start: Int) -> Range<Int> {
        let start = min(max(0, start), self.count)
        return (offset + start)..<(offset + start + min(max(0, count), self.count - start))
    }
}

extension FileSlice {
    /// The number of bytes read at a time.
    private static let pieceSize = 64 * 1024

    /// The same bytes as a body in memory if they fit into one piece and can be read at once, otherwise as a stream.
    var inPieces: ResponseBody {
        if count <= Self.pieceSize, let bytes = try? readAtOnce(count, from: 0), bytes.count == count {
            return .bytes(bytes)
        }
        return .stream(length: count) { try await write(to: $0) }
    }

    /// Writes the whole slice, piece by piece. A thread that may block waits for the disk.
    ///
    /// - Throws: `StreamError` when the client has gone; `FileError` when the system can't read the file. If the file has become
    ///   shorter, fewer than `count` bytes are written.
    package func write(to writer: BodyWriter) async throws {
        var start = 0
        while start < count {
            let piece = try await read(at: start)
            if piece.isEmpty { return }
            try await writer.write(piece)
            start += piece.count
        }
    }

    private func read(at start: Int) async throws -> [UInt8] {
        if let piece = try readAtOnce(Self.pieceSize, from: start) { return piece }
        return try await Blocking.run { try read(Self.pieceSize, from: start) }
    }
}
