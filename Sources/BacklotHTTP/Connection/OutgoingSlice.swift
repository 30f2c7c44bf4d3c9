/// A large body that is being sent: a slice of a file, or bytes in memory, which are shared and sent without a copy.
///
/// If possible, the system sends a file without passing it through the server's memory. Only bytes in the system's cache are
/// sent. A blocking thread loads bytes from the disk first, so that the loop doesn't wait for it. Confined to a loop.
final class OutgoingSlice: @unchecked Sendable {
    /// The maximum number of bytes that are loaded and sent in one turn of the loop.
    static let window = 1024 * 1024
    /// Bytes in memory up to this number are copied after their heads.
    static let copiedBytes = 64 * 1024

    private enum Source {
        case file(FileSlice)
        /// The array is kept whole until its last byte is sent, and counts as a whole.
        case bytes([UInt8], BufferShare)
    }

    private let source: Source
    private let count: Int
    private var sent = 0
    /// The bytes before this index were found in memory or loaded.
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

    /// The number of bytes still to send.
    var remaining: Int { count - sent }
    var isSent: Bool { remaining == 0 }

    /// The memory that it keeps, in bytes; 0 for a file.
    var held: Int {
        if case .bytes(_, let hold) = source { hold.bytes } else { 0 }
    }

    /// Checks whether bytes can be sent now. If not, it loads the next bytes.
    ///
    /// - Parameter whenLoaded: called on `loop` when they are loaded, or can't be.
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

    /// The number of bytes that can be sent now, at most `most`. After `prepare` has returned true, it is positive.
    func available(upTo most: Int) -> Int { min(most, loaded - sent) }

    /// Sends as many bytes as the system's buffer accepts, at most `most`.
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
    /// - Parameter count: at most the number of available bytes.
    /// - Returns: false when the file has become shorter or unreadable. The appended bytes are then useless.
    func take(_ count: Int, into output: inout [UInt8]) -> Bool {
        switch source {
        case .bytes(let bytes, _): output.append(copying: bytes.span.extracting(sent..<(sent + count)))
        case .file(let slice):
            let range = slice.within(count, from: sent)
            // The bytes were in memory a moment ago. If they no longer are, waiting for a few bytes is better than no response.
            guard let read = try? slice.file.read(range, into: &output, mayBlock: true), read == count else {
                return false
            }
        }
        sent += count
        return true
    }
}
