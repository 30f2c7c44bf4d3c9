/// The bytes that wait to be sent to a client, followed by a large body. Loops lend it, so an idle connection has no output.
final class Output {
    /// The progress of sending.
    enum Progress {
        case all
        /// The connection waits for the client, its turn or the disk.
        case waiting
        /// The connection is broken.
        case failed
        /// The file has become shorter, or can't be read.
        case fileLost
    }

    /// The number of bytes that may wait before the client must catch up.
    static let highWater = 256 * 1024
    /// The number of bytes of a file that are encrypted and sent at a time: four records of TLS.
    private static let encryptedPiece = 64 * 1024

    @exclusivity(unchecked) private var unchecked: [UInt8] = []
    private var sent = 0
    /// A large body that is sent after `bytes`.
    var file: OutgoingSlice?
    /// The rate at which the client accepts the output, while the connection waits for it.
    var meter: OutputMeter?

    /// Bytes that the system hasn't accepted yet, after those that it has. They don't need Swift's exclusivity checks at run time,
    /// because code that changes or reads them doesn't use other parts of the output.
    private(set) var bytes: [UInt8] {
        @inline(__always) _read { yield unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    /// The number of waiting bytes.
    var waiting: Int { bytes.count - sent }

    /// Whether more may be written before the client has accepted the waiting bytes.
    var hasRoom: Bool { waiting < Self.highWater && file == nil }

    /// Whether the output is empty, so that another connection may use it.
    var isEmpty: Bool { bytes.isEmpty && file == nil && meter == nil }

    /// Whether the connection waits for the client.
    var isReady: Bool { waiting > 0 || file.map { !$0.isLoading } ?? false }

    /// Drops bytes that were sent long ago: with a slow client, the output may never become empty.
    func trim() {
        guard sent >= Self.highWater else { return }
        append { $0.removeFirst(sent) }
        sent = 0
    }

    /// Appends the bytes that `write` adds.
    @inline(__always)
    func append(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

    // MARK: Responses

    /// Appends a response's head, and its body if it is complete.
    ///
    /// - Returns: false if bytes of a file are missing after its length was promised.
    func append(_ response: Response, _ encoder: ResponseEncoder, _ server: ServerContext) -> Bool {
        let framing = encoder.write(response, into: &bytes)
        switch response.body {
        case .file(let slice) where framing == .length: return append(slice)
        case .bytes(let body) where body.count > OutgoingSlice.copiedBytes && framing == .length:
            file = OutgoingSlice(body, server)
        case .empty, .bytes, .file, .stream, .fault: break
        }
        return true
    }

    /// Appends a slice of a file. Until it is sent, there is no room for other output.
    private func append(_ slice: FileSlice) -> Bool {
        if slice.count <= OpenFile.smallSize {
            let count = try? slice.file.read(slice.within(slice.count, from: 0), into: &bytes, mayBlock: false)
            if let count { return count == slice.count }
        }
        file = OutgoingSlice(slice)
        return true
    }

    /// Appends an interim response, which every client of HTTP/1.1 understands (RFC 9110, section 15.2).
    func appendContinue() { append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }

    /// Appends an interim response or, for a client of HTTP/1.0, the first byte of every response. If the client has gone, its
    /// system sends a reset, which cancels the handler.
    func appendProbe(to request: HTTP1Machine.Traits) {
        if request.contains(.http10) { append { $0.append(UInt8(ascii: "H")) } } else { appendContinue() }
    }

    // MARK: Sending

    /// The time by when the client must have accepted some of it; nil while the client isn't awaited.
    func deadline(_ server: ServerContext) -> Int64? {
        meter?.deadline(server.configuration.waits, leastRate: server.configuration.limits.leastRate)
    }

    /// The bytes that are kept for the client while the connection waits for it.
    var held: Int { (meter?.hold.bytes ?? 0) + (file?.held ?? 0) }

    /// Gives the system as many bytes as it accepts and this turn of the connection allows.
    func send(of connection: Connection) -> Progress {
        let loop = connection.loop
        while let file, !file.isSent {
            // Over TLS, the beginning of the body is encrypted together with the head.
            if connection.tls == nil || waiting >= Self.encryptedPiece {
                let progress = sendBytes(of: connection)
                guard progress == .all else { return progress }
            }
            guard loop.fileRoom > 0 else {
                startMeter(connection)
                return .waiting
            }
            guard file.prepare(on: loop, whenLoaded: { connection.fileLoaded() }) else {
                let progress = sendBytes(of: connection)
                // The client isn't the reason for this wait.
                if progress == .all { meter = nil }
                return progress == .all ? .waiting : progress
            }
            let progress = connection.tls == nil ? send(file, of: connection) : encrypt(file, on: loop)
            guard progress == .all else { return progress }
        }
        file = nil
        return sendBytes(of: connection)
    }

    private func sendBytes(of connection: Connection) -> Progress {
        while sent < bytes.count {
            let rest = bytes.span.extracting(sent...)
            let outcome: Socket.Outcome
            if let tls = connection.tls {
                outcome = tls.send(rest)
            } else {
                outcome = connection.socket.send(rest, more: file != nil)
            }
            switch outcome {
            case .bytes(let count):
                note(count, on: connection.loop)
                sent += count
            case .wouldBlock:
                startMeter(connection)
                return .waiting
            case .end, .failed: return .failed
            }
        }
        bytes.removeAll(keepingCapacity: true)
        sent = 0
        return .all
    }

    /// Sends bytes of a large body, if possible without passing them through this program's memory.
    private func send(_ file: OutgoingSlice, of connection: Connection) -> Progress {
        switch file.send(to: connection.socket, most: connection.loop.fileRoom) {
        case .bytes(0): return .fileLost
        case .bytes(let count):
            connection.loop.fileRoom -= count
            note(count, on: connection.loop)
            return .all
        case .wouldBlock:
            startMeter(connection)
            return .waiting
        case .end, .failed: return .failed
        }
    }

    /// Copies a piece of a large body into the output, because TLS encrypts in this program.
    private func encrypt(_ file: OutgoingSlice, on loop: EventLoop) -> Progress {
        let (count, end) = (file.available(upTo: min(loop.fileRoom, Self.encryptedPiece - waiting)), bytes.count)
        var isThere = true
        append {
            isThere = file.take(count, into: &$0)
            if !isThere { $0.removeLast($0.count - end) }
        }
        guard isThere else { return .fileLost }
        loop.fileRoom -= count
        return .all
    }

    private func note(_ count: Int, on loop: EventLoop) {
        loop.bytesSent += count
        meter?.note(count, at: loop.clock.now)
    }

    /// Starts measuring how fast the client accepts the output.
    private func startMeter(_ connection: Connection) {
        let now = connection.loop.clock.now
        let meter = meter ?? OutputMeter(queued: connection.socket.unacknowledged, at: now, server: connection.server)
        // The output of a running handler stays as long as its request.
        let head = connection.isUnderWay ? Int(connection.counts.headSize) : 0
        meter.hold.set(bytes.capacity + head)
        self.meter = meter
    }
}
