/// A request's body as an HTTP/1 connection reads it: takes the framing off, and hands the bytes on.
///
/// Lives on the connection's loop.
final class FramedBody {
    /// How many bytes may wait for the handler before the connection stops reading.
    static let highWater = 64 * 1024

    /// The body that the handler reads.
    let body: IncomingBody
    private var decoder: BodyDecoder
    /// How fast the client sends the body, while it is waited for.
    private var meter = RateMeter()

    init(decoder: BodyDecoder, loop: EventLoop, source: any BodySource, server: ServerContext) {
        self.decoder = decoder
        body = IncomingBody(declaredLength: decoder.remaining, loop: loop, source: source, server: server)
    }

    /// Whether all of the body has come.
    var isFinished: Bool { decoder.isFinished }
    /// How many bytes are still to come, where that is known.
    var remaining: Int? { decoder.remaining }
    /// Whether the connection should wait with reading until the handler has caught up.
    var isFull: Bool { body.waitingCount >= Self.highWater }
    /// Whether a handler waits for bytes.
    var isAwaited: Bool { body.isAwaited }

    /// Takes what belongs to the body from `input`, moving `position` past it.
    ///
    /// Bytes after `fail` are dropped.
    func feed(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) {
        let start = position
        defer { meter.bytes += position - start }
        do {
            while let data = try decoder.next(input, from: &position) { body.append(input.extracting(data)) }
        } catch {
            body.fail(error)
            throw error
        }
        guard decoder.isFinished else { return body.deliver() }
        body.finish()
        body.detach()
    }

    /// When the next byte is due, in milliseconds of the loop's clock; nil while no handler waits for it.
    ///
    /// - Parameter isUnwanted: the body is read only to find what comes after it.
    func deadline(
        isUnwanted: Bool = false,
        _ configuration: ServerConfiguration,
        lastProgress: Int64,
        now: Int64
    ) -> Int64? {
        meter.wait(isAwaited || isUnwanted, at: now)
        return meter.deadline(configuration).map { min($0, lastProgress + configuration.waits.body) }
    }

    /// Ends the body early: its reader gets `error`.
    func fail(_ error: any Error) {
        body.fail(error)
    }
}

/// Finds a request's body in the bytes of its connection, by its length or its chunks.
enum BodyDecoder {
    case length(remaining: Int)
    case chunked(ChunkedDecoder)

    /// nil where there is no body.
    init?(_ framing: BodyFraming, limits: ServerConfiguration.Limits) {
        switch framing {
        case .none: return nil
        case .length(let length): self = .length(remaining: length)
        case .chunked: self = .chunked(ChunkedDecoder(limits: limits))
        }
    }

    /// Whether the whole body has been read.
    var isFinished: Bool {
        switch self {
        case .length(let remaining): remaining == 0
        case .chunked(let decoder): decoder.isFinished
        }
    }

    /// How many bytes are still to come, where that is known.
    var remaining: Int? {
        switch self {
        case .length(let remaining): remaining
        case .chunked: nil
        }
    }

    /// Reads on from `position`, which it moves past what it has read.
    ///
    /// - Returns: where the next bytes of the body stand in `input`, or nil when it is finished or more are needed.
    mutating func next(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) -> Range<Int>? {
        switch self {
        case .length(let remaining):
            // The sum of position and remaining could overflow: the length is the client's word.
            let data = position..<(position + min(remaining, input.count - position))
            guard !data.isEmpty else { return nil }
            position = data.upperBound
            self = .length(remaining: remaining - data.count)
            return data
        case .chunked(var decoder):
            defer { self = .chunked(decoder) }
            return try decoder.next(input, from: &position)
        }
    }
}
