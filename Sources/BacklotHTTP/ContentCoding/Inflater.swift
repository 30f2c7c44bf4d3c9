internal import CZlib

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

    /// Decodes bytes from `position` on, and moves it past those that were used up: all, unless there was no room for what
    /// they become, or a member of gzip has ended before them.
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
        // Z_BUF_ERROR is none: there was nothing to do.
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
