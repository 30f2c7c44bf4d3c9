internal import Logging

extension Connection {
    /// Files up to this size, in bytes, are read and sent with their heads: one system call less, and cheaper up to here.
    static let copiedFileSize = 32 * 1024

    /// Sends a slice of a file after what is in `output`. Until it is sent there is no room for anything else.
    func write(_ slice: FileSlice) {
        guard slice.count <= Self.copiedFileSize else {
            file = OutgoingFile(slice)
            return
        }
        var read: Result<Int?, FileError> = .success(nil)
        append { bytes in
            read = Result { () throws(FileError) in
                try slice.file.read(slice.within(slice.count, from: 0), into: &bytes, mayBlock: false)
            }
        }
        switch read {
        case .success(slice.count): break
        case .success(nil): file = OutgoingFile(slice)
        case .success, .failure: cutFile()
        }
    }

    /// Sends of the file that is under way what the system takes and this turn allows.
    ///
    /// - Returns: whether there is nothing left of it.
    func sendFile() -> Bool {
        guard let file else { return true }
        while !file.isSent {
            guard loop.fileRoom > 0 else { return false }
            guard file.prepare(on: loop, whenLoaded: { [self] in didLoad() }) else {
                // It isn't the client that takes its time.
                outputMeter = nil
                return false
            }
            switch file.send(to: socket, most: loop.fileRoom) {
            case .bytes(0):
                cutFile()
                return false
            case .bytes(let count):
                loop.fileRoom -= count
                loop.bytesSent += count
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

    /// Whether the client is what the file waits for.
    var isFileReady: Bool { file.map { !$0.isLoading } ?? false }

    private func didLoad() {
        guard isOpen, file != nil else { return }
        lastProgress = loop.clock.now
        loop.fileRoom = OutgoingFile.window
        finishRound()
    }

    /// Cuts the connection: the file has become shorter, or can't be read, and its length is promised already.
    private func cutFile() {
        server.logger.error("a file became shorter, or unreadable, while it was sent: its connection was cut")
        file = nil
        // Answers before this one are whole, and may still be here.
        sendOutput()
        abort()
    }
}
