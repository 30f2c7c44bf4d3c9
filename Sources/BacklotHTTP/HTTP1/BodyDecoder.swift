/// Finds a request's body in the bytes of its connection, by its length or its chunks.
enum BodyDecoder {
    case length(remaining: Int)
    case chunked(ChunkedDecoder)
    /// Everything to the end of the connection.
    case endless

    /// Returns nil for a request without a body.
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
        case .endless: false
        }
    }

    /// The number of bytes still to come, if known.
    var remaining: Int? {
        switch self {
        case .length(let remaining): remaining
        case .chunked, .endless: nil
        }
    }

    /// Continues reading at `position` and moves it past the bytes it has read.
    ///
    /// - Returns: the range of the body's next bytes in `input`, or nil when the body is finished or more bytes are
    ///   needed.
    mutating func next(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) -> Range<Int>? {
        switch self {
        case .length(let remaining):
            // The sum of position and remaining could overflow: the client chooses the length.
            let data = position..<(position + min(remaining, input.count - position))
            guard !data.isEmpty else { return nil }
            position = data.upperBound
            self = .length(remaining: remaining - data.count)
            return data
        case .chunked(var decoder):
            defer { self = .chunked(decoder) }
            return try decoder.next(input, from: &position)
        case .endless:
            defer { position = input.count }
            return position < input.count ? position..<input.count : nil
        }
    }
}
