internal import CZlib

/// Takes the codings off a body, step by step, and stops one that grows too much. It does no I/O.
struct Inflation: Sendable {
    /// The result of a step.
    enum Step: Equatable, Sendable {
        /// A piece of the body, never empty.
        case piece([UInt8])
        /// Nothing yet: there is more to do.
        case working
        /// Nothing, before there are more encoded bytes.
        case wantsInput
    }

    /// One coding, and its input from the one before it.
    private struct Layer {
        let inflater: Inflater
        var input: [UInt8] = []
        var position = 0
        var produced = 0

        var hasWork: Bool { position < input.count || inflater.mayHaveMore }
    }

    /// The largest piece, in bytes.
    static let pieceSize = 64 * 1024
    /// How many bytes any body may become before the ratio counts: short bodies can have a high ratio in good faith.
    static let grace = 64 * 1024

    private let ratio: Int
    private var stages: [Layer] = []
    /// How many encoded bytes have been used up.
    private var consumed = 0
    /// How much has been done so far: roughly in bytes that went in or out somewhere.
    private(set) var work = 0

    /// Starts with the coding that was applied last.
    ///
    /// - Parameter ratio: how many times as large the body may become.
    init(_ codings: [ContentCoding], ratio: Int) throws(ContentCodingError) {
        self.ratio = ratio
        for coding in codings { stages.append(Layer(inflater: try Inflater(coding))) }
    }

    /// Takes encoded bytes; only when a step has asked for them.
    mutating func feed(_ bytes: [UInt8]) {
        stages[0].input = bytes
        stages[0].position = 0
    }

    /// Decodes some bytes in one of the codings.
    mutating func step() throws(ContentCodingError) -> Step {
        // The last one that has work, so that no coding gets more input before it has used up its last.
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
        // A small input needs no large piece; output that a full piece left behind does.
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

    /// Notes that there are no more encoded bytes. An empty body is valid: there was no content to encode.
    ///
    /// - Throws: when they ended too early.
    func finish() throws(ContentCodingError) {
        if consumed == 0 { return }
        for stage in stages where !stage.inflater.isAtEnd { throw .truncated(stage.inflater.coding) }
    }
}

/// Takes one content coding off bytes: zlib's state for it, 40 KB. Used by one at a time.
@safe final class Inflater: @unchecked Sendable {
    let coding: ContentCoding
    /// Whether the bytes so far are whole: what follows begins something new.
    private(set) var isAtEnd = false
    /// Whether the last call may have left something behind for want of room.
    private(set) var mayHaveMore = false
    /// zlib keeps a pointer to it: it may not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// A state for one stream of bytes.
    ///
    /// - Throws: when there is no memory.
    init(_ coding: ContentCoding) throws(ContentCodingError) {
        self.coding = coding
        unsafe stream.initialize(to: z_stream())
        // The largest window; 16 more say that the format is gzip.
        let window = coding == .gzip ? MAX_WBITS + 16 : MAX_WBITS
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, window, ZLIB_VERSION, size) == Z_OK else { throw .noMemory }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decodes bytes from `position` on, and moves it past those that were used up: all, unless there was no room for
    /// what they become, or a member of gzip has ended before them.
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
        // Z_BUF_ERROR only means that there was nothing to do.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return output
        case Z_NEED_DICT: throw .malformed(coding, "it needs a dictionary")
        case Z_MEM_ERROR: throw .noMemory
        default:
            throw .malformed(coding, unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "invalid data")
        }
    }

    private func beginMember() throws(ContentCodingError) {
        guard coding == .gzip else { throw .malformed(coding, "there are bytes after its end") }
        unsafe inflateReset(stream)
        isAtEnd = false
    }
}
