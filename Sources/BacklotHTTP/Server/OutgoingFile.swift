/// A slice of a file on its way from the system to a client, without passing through the server's memory.
///
/// Only what is in the system's memory is sent: what must come from the disk first is loaded elsewhere, so that no loop waits
/// for it.
final class OutgoingFile {
    /// How much is loaded, and sent, in one turn of the loop, in bytes.
    static let window = 1024 * 1024

    private let slice: FileSlice
    private var sent = 0
    /// Up to here the bytes were found, or brought, into memory.
    private var loaded = 0
    /// Whether the next bytes are being loaded.
    var isLoading = false

    init(_ slice: FileSlice) {
        self.slice = slice
    }

    var file: OpenFile { slice.file }
    var isSent: Bool { sent == slice.count }

    /// What must be loaded before anything more can be sent; nil when that is nothing.
    func missing() -> Range<Int>? {
        guard sent == loaded else { return nil }
        let next = slice.within(Self.window, from: sent)
        if file.isCached(next) {
            loaded += next.count
            return nil
        }
        return next
    }

    /// What was missing has been loaded, or can't be.
    func didLoad(_ range: Range<Int>) {
        loaded += range.count
        isLoading = false
    }

    /// Sends what the system's buffer takes, and not more than `most` bytes.
    func send(to socket: Socket, most: Int) -> Socket.Sent {
        let count = min(most, loaded - sent)
        let result = socket.send(file.descriptor, from: slice.offset + sent, count: count)
        if case .bytes(let count) = result { sent += count }
        return result
    }
}
