/// A slice of a file on its way from the system to a client, without passing through the server's memory.
final class OutgoingFile {
    private let slice: FileSlice
    private var sent = 0

    init(_ slice: FileSlice) {
        self.slice = slice
    }

    /// How many bytes are still to be sent.
    var remaining: Int { slice.count - sent }

    /// Sends what the system's buffer takes, and not more than `most` bytes.
    func send(to socket: Socket, most: Int) -> Socket.Sent {
        let result = socket.send(slice.file.descriptor, from: slice.offset + sent, count: min(most, remaining))
        if case .bytes(let count) = result { sent += count }
        return result
    }
}
