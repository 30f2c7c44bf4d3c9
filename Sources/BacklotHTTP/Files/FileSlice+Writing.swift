extension FileSlice {
    /// How many bytes are read at a time.
    private static let pieceSize = 64 * 1024

    /// A body of the same bytes, read: at once where it is one piece and in memory, else as it is sent.
    var inPieces: ResponseBody {
        if count <= Self.pieceSize, let bytes = try? readAtOnce(count, from: 0), bytes.count == count {
            return .bytes(bytes)
        }
        return .stream(length: count) { try await write(to: $0) }
    }

    /// Writes all of the slice, piece by piece; the disk is waited for on a thread that may block.
    ///
    /// - Throws: `StreamError` when the client has gone; `FileError` when the system can't read the file. When that has become
    ///   shorter, fewer bytes are written than `count`.
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
