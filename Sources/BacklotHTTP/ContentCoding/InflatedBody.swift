internal import HTTPTypes

extension Request {
    /// The same request without its content codings: the body is decoded while it is read, and the fields about the encoded bytes
    /// are removed.
    ///
    /// - Parameter ratio: the maximum factor by which the decoded body may be larger than its encoded bytes.
    package func inflated(_ encoding: ContentEncoding, ratio: Int) throws(ContentCodingError) -> Request {
        var request = Request(
            head: head.without([.contentEncoding, .contentLength]),
            body: body,
            remoteAddress: remoteAddress,
            tls: tls,
            trustedProxies: trustedProxies
        )
        request.attributes = attributes
        guard !encoding.codings.isEmpty else { return request }
        let body = try InflatedBody(body, encoding, ratio: ratio, head: head)
        request.body = RequestBody(.inflated(body), limit: self.body.limit)
        return request
    }
}

extension Request {
    /// The same request with a body that fails when it is read, because its content coding isn't understood.
    package func refusingBody(_ error: any HTTPError) -> Request {
        var request = self
        request.body = RequestBody(.refused(RequestBody.Refusal(error)), limit: body.limit)
        return request
    }
}

extension RequestHead {
    /// The head without fields of certain names.
    fileprivate func without(_ names: [HTTPField.Name]) -> RequestHead {
        let bytes = bytes
        return RequestHead(
            bytes: bytes,
            line: line,
            fields: FieldTable(
                fields.filter { field in
                    !names.contains { name in bytes.span.equals(field.name, name: name) }
                },
                of: fields
            ),
            framing: framing,
            isPersistent: isPersistent,
            expectsContinue: expectsContinue,
            length: length,
            original: original ?? self
        )
    }
}

/// A request's body without its content codings, in pieces of at most 64 KB. It needs memory for one piece at a time.
final class InflatedBody: Sendable {
    private let reading: Exclusive<Reading>
    /// The original body and head.
    let encoded: RequestBody
    let head: RequestHead
    /// The bytes of the body in memory, encoded and decoded.
    let hold: BufferShare?

    init(
        _ encoded: RequestBody,
        _ encoding: ContentEncoding,
        ratio: Int,
        head: RequestHead
    ) throws(ContentCodingError) {
        let inflation = try Inflation(encoding.codings, ratio: ratio)
        self.encoded = encoded
        self.head = head
        hold = encoded.hold
        reading = Exclusive(Reading(encoded: encoded, inflation: inflation))
    }

    /// The next piece; nil at the end. May be called on any thread, by one reader at a time.
    ///
    /// - Parameter limit: the maximum number of bytes that will be read in total. It is not checked here, but limits the encoded
    ///   bytes.
    func next(limit: Int) async throws -> [UInt8]? {
        // Another task may continue if one task was cancelled.
        try await reading.use(unless: { $0 is CancellationError }) { reading in
            guard !reading.isFinished else { return nil }
            let piece = try await reading.next(limit: limit)
            reading.isFinished = piece == nil
            return piece
        }
    }
}

/// The progress of reading a body.
private struct Reading {
    let encoded: RequestBody
    var pieces: RequestBody.AsyncIterator
    var inflation: Inflation
    var received = 0
    var turn = Turn()
    var isFinished = false

    /// The work of one call on another thread: a cancelled task waits no longer than for that.
    private static let workAtOnce = 16 * Turn.length

    init(encoded: RequestBody, inflation: Inflation) {
        self.encoded = encoded.limited(to: .max)
        self.inflation = inflation
        pieces = self.encoded.makeAsyncIterator()
    }

    mutating func next(limit: Int) async throws -> [UInt8]? {
        // Incompressible bytes grow a little: by a head, and by 5 bytes every 16 KB with zlib.
        let encodedLimit = limit > Int.max / 2 ? Int.max : limit + limit / 8 + 1024
        // Refused before it is read: a client that sends `Expect: 100-continue` then needn't send it.
        if received == 0, let length = encoded.declaredLength, length > encodedLimit {
            throw RequestError.bodyTooLarge(limit: limit)
        }
        while true {
            // Empty members become nothing, however many there are.
            guard inflation.isWorth(max(limit, Inflation.grace)) else { throw RequestError.bodyTooLarge(limit: limit) }
            switch try await step() {
            case .piece(let piece): return piece
            case .working: try Task.checkCancellation()
            case .wantsInput:
                guard let piece = try await pieces.next() else {
                    try inflation.finish()
                    return nil
                }
                received += piece.count
                guard received <= encodedLimit else { throw RequestError.bodyTooLarge(limit: limit) }
                inflation.feed(piece)
            }
        }
    }

    private mutating func step() async throws -> Inflation.Step {
        if !turn.hasRoom(for: 1) {
            let (inflation, step) = try await Blocking.run { [inflation] in
                var inflation = inflation
                let end = inflation.work + Self.workAtOnce
                while true {
                    let step = try inflation.step()
                    if step != .working || inflation.work > end { return (inflation, step) }
                }
            }
            self.inflation = inflation
            turn = Turn()
            return step
        }
        let before = inflation.work
        let step = try inflation.step()
        turn.count(inflation.work - before)
        return step
    }
}
