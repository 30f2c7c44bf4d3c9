internal import Logging

extension Connection {
    /// Files up to this size, in bytes, are read and sent with their heads: one system call less, and cheaper up to here.
    static let copiedFileSize = 32 * 1024
    /// How many bytes of files are sent before other connections of the loop get their turn.
    static let fileTurn = 1024 * 1024

    /// Sends a slice of a file after what is in `output`. Until it is sent there is no room for anything else.
    func write(_ slice: FileSlice) {
        guard slice.count <= Self.copiedFileSize else {
            file = OutgoingFile(slice)
            return
        }
        var count: Int? = 0
        append { bytes in
            count = try? slice.file.read(slice.within(slice.count, from: 0), into: &bytes, mayBlock: true)
        }
        if count != slice.count { cutFile() }
    }

    /// Sends of the file that is under way what the system takes and this turn allows.
    ///
    /// - Returns: whether there is nothing left of it.
    func sendFile() -> Bool {
        guard let file else { return true }
        while file.remaining > 0 {
            guard fileRoom > 0 else { return false }
            switch file.send(to: socket, most: fileRoom) {
            case .bytes(0):
                cutFile()
                return false
            case .bytes(let count):
                fileRoom -= count
                lastProgress = loop.clock.now
                outputMeter?.sent += count
            case .wouldBlock:
                startMeter()
                return false
            case .failed:
                abort()
                return false
            }
        }
        self.file = nil
        outputMeter = nil
        return true
    }

    /// Cuts the connection: the file has become shorter, or can't be read, and its length is promised already.
    private func cutFile() {
        server.logger.error("a file became shorter, or unreadable, while it was sent; its connection was cut")
        // Answers before this one are whole, and may still be here.
        file = nil
        sendOutput()
        abort()
    }
}
