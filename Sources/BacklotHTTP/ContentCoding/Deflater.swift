internal import CZlib

/// Compresses bytes. It holds zlib's state, 256 KB.
///
/// For one user at a time. If used in order, zlib can only fail for lack of memory at the start.
@safe final class Deflater: @unchecked Sendable {
    /// The part of the output that must be complete when a call returns.
    struct Flush: Equatable {
        fileprivate let code: Int32

        /// zlib may hold back output and wait for more input, which compresses better.
        static let none = Flush(code: Z_NO_FLUSH)
        /// All input so far can be decoded. Costs about 5 bytes.
        static let sync = Flush(code: Z_SYNC_FLUSH)
        /// All input can be decoded, and the output ends.
        static let finish = Flush(code: Z_FINISH)
    }

    let coding: ContentCoding
    /// zlib keeps a pointer to it, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Creates the state for one stream of bytes.
    ///
    /// - Parameters:
    ///   - level: from 1, fast, to 9, small.
    ///   - window: for bare deflate data (RFC 1951), the size of the window as a power of two, 9 to 15.
    /// - Returns: nil when there is no memory.
    init?(_ coding: ContentCoding, level: Int, window: Int? = nil) {
        self.coding = coding
        unsafe stream.initialize(to: z_stream())
        let result = unsafe deflateInit2_(
            stream,
            Int32(level),
            Z_DEFLATED,
            // The largest window; 16 more say that the format is gzip, a negative one that there is none.
            window.map { -Int32($0) } ?? (coding == .gzip ? MAX_WBITS + 16 : MAX_WBITS),
            // zlib's own choice of memory. Less finds fewer matches, more is no smaller and takes longer to clear.
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard result == Z_OK else { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Resets the state for another stream of bytes.
    func reset() {
        unsafe deflateReset(stream)
    }

    /// Compresses a complete body; nil if it doesn't fit into `limit` bytes. The state must then be reset.
    func compress(_ body: [UInt8], upTo limit: Int) -> [UInt8]? {
        var isWhole = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe body.withUnsafeBufferPointer { body in
                unsafe setInput(body)
                let result = unsafe run(.finish, into: buffer)
                isWhole = result == Z_STREAM_END
                count = unsafe buffer.count - Int(stream.pointee.avail_out)
                unsafe setInput(UnsafeBufferPointer(start: nil, count: 0))
            }
        }
        return isWhole ? output : nil
    }

    /// Compresses a piece of a stream.
    ///
    /// - Returns: the output so far, often empty unless `flush` forces some.
    func compress(_ piece: Span<UInt8>, _ flush: Flush) -> [UInt8] {
        var output: [UInt8] = []
        unsafe piece.withUnsafeBufferPointer { piece in
            unsafe setInput(piece)
            repeat {
                output.append(addingCapacity: piece.count / 2 + 128) { room in
                    unsafe room.withUnsafeMutableBufferPointer { buffer, count in
                        unsafe run(flush, into: buffer)
                        count = unsafe buffer.count - Int(stream.pointee.avail_out)
                    }
                }
            } while unsafe stream.pointee.avail_out == 0
            unsafe setInput(UnsafeBufferPointer(start: nil, count: 0))
        }
        return output
    }

    private func setInput(_ input: UnsafeBufferPointer<UInt8>) {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = uInt(input.count)
    }

    @discardableResult
    private func run(_ flush: Flush, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int32 {
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = uInt(buffer.count)
        return unsafe deflate(stream, flush.code)
    }
}

/// Keeps compression states between responses: creating one takes about as long as compressing a small page.
final class DeflaterPool: Sendable {
    /// The most idle states: 4 MB.
    static let mostIdle = 16

    private let level: Int
    private let window: Int?
    private let idle = Locked<[Deflater]>([])

    init(level: Int, window: Int? = nil) {
        (self.level, self.window) = (level, window)
    }

    /// The number of idle states.
    var idleCount: Int { idle.withLock { $0.count } }

    /// A state in its initial condition; nil if the system has no memory for one.
    func take(_ coding: ContentCoding) -> Deflater? {
        let found = idle.withLock { idle -> Deflater? in
            guard let index = idle.lastIndex(where: { $0.coding == coding }) else { return nil }
            return idle.remove(at: index)
        }
        guard let found else { return Deflater(coding, level: level, window: window) }
        found.reset()
        return found
    }

    /// Takes a state back after any use.
    func giveBack(_ deflater: Deflater) {
        idle.withLock { idle in
            if idle.count < Self.mostIdle { idle.append(deflater) }
        }
    }
}
