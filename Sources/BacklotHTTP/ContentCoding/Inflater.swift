internal import CZlib

/// Decodes a body step by step, and stops if it grows too much. It does no I/O.
struct Inflation: Sendable {
    /// The result of a step.
    enum Step: Equatable, Sendable {
        /// A piece of the body, never empty.
        case piece([UInt8])
        /// No output yet, but more work to do.
        case working
        /// No output until more encoded bytes come.
        case wantsInput
    }

    /// One coding, and its input from the previous coding.
    private struct Layer {
        let inflater: Inflater
        var input: [UInt8] = []
        var position = 0
        var produced = 0

        var hasWork: Bool { position < input.count || inflater.mayHaveMore }
    }

    /// The largest piece, in bytes.
    static let pieceSize = 64 * 1024
    /// The size that any body may reach before the ratio counts: short bodies can have a high ratio in good faith.
    static let grace = 64 * 1024
    /// The bytes of work allowed for each byte that the body may have: stacked codings and empty gzip members cause work without
    /// a result.
    private static let workPerByte = 16

    private let ratio: Int
    private var stages: [Layer] = []
    /// The number of encoded bytes that have been used.
    private var consumed = 0
    /// The work so far, roughly in bytes of input and output of all codings.
    private(set) var work = 0

    /// Starts with the coding that was applied last.
    ///
    /// - Parameter ratio: the most times that the decoded body may be larger.
    init(_ codings: [ContentCoding], ratio: Int) throws(ContentCodingError) {
        self.ratio = ratio
        for coding in codings { stages.append(Layer(inflater: try Inflater(coding))) }
    }

    /// Accepts encoded bytes. Call it only when a step has returned `wantsInput`.
    mutating func feed(_ bytes: [UInt8]) {
        stages[0].input = bytes
        stages[0].position = 0
    }

    /// Whether the work so far is in proportion to the largest body that is accepted, in bytes.
    func isWorth(_ limit: Int) -> Bool { work / Self.workPerByte <= limit }

    /// Decodes some bytes in one of the codings.
    mutating func step() throws(ContentCodingError) -> Step {
        // The last coding with work, so that each coding uses up its input before it gets more.
        guard let index = stages.lastIndex(where: \.hasWork) else { return .wantsInput }
        let piece = try decode(index)
        if piece.isEmpty { return .working }
        guard index < stages.count - 1 else { return .piece(piece) }
        stages[index + 1].input = piece
        stages[index + 1].position = 0
        return .working
    }

    private mutating func decode(_ index: Int) throws(ContentCodingError) -> [UInt8] {
        let waiting = stages[index].input.count - stages[index].position
        // A small input needs no large piece, but output left behind by a full piece does.
        let limit = waiting == 0 ? Self.pieceSize : min(Self.pieceSize, max(512, waiting * 8))
        let inflater = stages[index].inflater
        let piece = try inflater.decode(stages[index].input, from: &stages[index].position, upTo: limit)
        let used = waiting - (stages[index].input.count - stages[index].position)
        if index == 0 { consumed += used }
        stages[index].produced += piece.count
        work += used + piece.count + 64
        let produced = stages[index].produced
        guard produced <= Self.grace || produced / ratio <= consumed else { throw .expandsTooMuch(ratio: ratio) }
        return piece
    }

    /// Marks the end of the encoded bytes. An empty body is valid: it has no content to encode.
    ///
    /// - Throws: `ContentCodingError.truncated` if they ended too early.
    func finish() throws(ContentCodingError) {
        if consumed == 0 { return }
        for stage in stages where !stage.inflater.isAtEnd { throw .truncated(stage.inflater.coding) }
    }
}

/// Decodes one content coding. It holds zlib's state, 40 KB. For one user at a time.
@safe final class Inflater: @unchecked Sendable {
    let coding: ContentCoding
    private let isRaw: Bool
    /// Whether the bytes so far are whole: what follows begins something new.
    private(set) var isAtEnd = false
    /// Whether the last call may have left output behind because of its limit.
    private(set) var mayHaveMore = false
    /// zlib keeps a pointer to it, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Creates the state for one stream of bytes.
    ///
    /// - Parameter isRaw: whether the bytes are bare deflate data (RFC 1951).
    /// - Throws: when there is no memory.
    init(_ coding: ContentCoding, isRaw: Bool = false) throws(ContentCodingError) {
        (self.coding, self.isRaw) = (coding, isRaw)
        unsafe stream.initialize(to: z_stream())
        // The largest window; 16 more say that the format is gzip, a negative one that there is none.
        let window = isRaw ? -MAX_WBITS : coding == .gzip ? MAX_WBITS + 16 : MAX_WBITS
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, window, ZLIB_VERSION, size) == Z_OK else { throw .noMemory }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decodes bytes from `position` on, and moves it past the bytes it has used. It uses all of them, unless the output reaches
    /// `limit`, or a gzip member ends before them.
    ///
    /// gzip may consist of several members, one after the other (RFC 1952, section 2.2).
    ///
    /// - Returns: at most `limit` bytes.
    func decode(_ input: [UInt8], from position: inout Int, upTo limit: Int) throws(ContentCodingError) -> [UInt8] {
        if isAtEnd, position < input.count { try beginMember() }
        let begun = unsafe stream.pointee.total_in
        var result = Z_OK
        let start = position
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.advanced(by: start))
                unsafe stream.pointee.avail_in = uInt(input.count - start)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = uInt(buffer.count)
                result = unsafe inflate(stream, Z_NO_FLUSH)
                count = unsafe buffer.count - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
            }
        }
        position += unsafe Int(stream.pointee.total_in - begun)
        isAtEnd = result == Z_STREAM_END
        mayHaveMore = !isAtEnd && output.count == limit
        switch result {
        // Z_BUF_ERROR only means that zlib had no work to do.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return output
        case Z_NEED_DICT: throw .malformed(coding, "it needs a dictionary")
        case Z_MEM_ERROR: throw .noMemory
        default:
            throw .malformed(coding, unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "invalid data")
        }
    }

    private func beginMember() throws(ContentCodingError) {
        guard coding == .gzip || isRaw else { throw .malformed(coding, "there are bytes after its end") }
        unsafe inflateReset(stream)
        isAtEnd = false
    }
}
