/// A large body on its way to a client: a slice of a file, or bytes in memory, which are shared and sent without a copy.
///
/// The system sends a file without passing it through the server's memory where that can be. Only what is in the system's
/// memory is sent: what must come from the disk first is loaded elsewhere, so that no loop waits for it. Confined to a loop.
final class OutgoingSlice: @unchecked Sendable {
    /// The most bytes that are loaded, and sent, in one turn of the loop.
    static let window = 1024 * 1024
    /// Bytes in memory up to this number are copied behind their heads.
    static let copiedBytes = 64 * 1024

    private enum Source {
        case file(FileSlice)
        /// The array is kept whole until its last byte is sent, and counts whole.
        case bytes([UInt8], BufferShare)
    }

    private let source: Source
    private let count: Int
    private var sent = 0
    /// Up to here the bytes were found, or brought, into memory.
    private var loaded = 0
    /// Whether the next bytes are being loaded.
    private(set) var isLoading = false

    init(_ slice: FileSlice) {
        source = .file(slice)
        count = slice.count
    }

    init(_ bytes: [UInt8], _ server: ServerContext) {
        let hold = BufferShare(server)
        hold.set(bytes.capacity)
        source = .bytes(bytes, hold)
        count = bytes.count
        loaded = count
    }

    /// How many bytes are still to be sent.
    var remaining: Int { count - sent }
    var isSent: Bool { remaining == 0 }

    /// The memory that it keeps, in bytes: none for a file.
    var held: Int {
        if case .bytes(_, let hold) = source { hold.bytes } else { 0 }
    }

    /// Finds out whether something can be sent now. If not, it brings the next bytes into memory.
    ///
    /// - Parameter whenLoaded: called on `loop` when they are there, or can't be had.
    func prepare(on loop: EventLoop, whenLoaded: @escaping @Sendable () -> Void) -> Bool {
        guard !isLoading else { return false }
        guard sent == loaded, case .file(let slice) = source else { return true }
        let next = slice.within(Self.window, from: sent)
        if slice.file.isCached(next) {
            loaded += next.count
            return true
        }
        isLoading = true
        Blocking.start { [self] in
            slice.file.load(next)
            loop.execute { [self] in
                loaded += next.count
                isLoading = false
                whenLoaded()
            }
        }
        return false
    }

    /// How many bytes can be sent now, and at most `most`: some, after `prepare` has returned true.
    func available(upTo most: Int) -> Int { min(most, loaded - sent) }

    /// Sends what the system's buffer takes, and not more than `most` bytes.
    func send(to socket: Socket, most: Int) -> Socket.Outcome {
        let next = available(upTo: most)
        let result =
            switch source {
            case .file(let slice): socket.send(slice.file.descriptor, from: slice.offset + sent, count: next)
            case .bytes(let bytes, _): socket.send(bytes.span.extracting(sent..<(sent + next)))
            }
        if case .bytes(let count) = result { sent += count }
        return result
    }

    /// Appends the next bytes to `output`.
    ///
    /// - Parameter count: at most what is `available`.
    /// - Returns: false when the file has become shorter, or can't be read; what was appended is of no use then.
    func take(_ count: Int, into output: inout [UInt8]) -> Bool {
        switch source {
        case .bytes(let bytes, _): output.append(copying: bytes.span.extracting(sent..<(sent + count)))
        case .file(let slice):
            let range = slice.within(count, from: sent)
            // It was in memory a moment ago: where it is no longer, waiting for a few bytes is better than no response.
            guard let read = try? slice.file.read(range, into: &output, mayBlock: true), read == count else {
                return false
            }
        }
        sent += count
        return true
    }
}
