/// Decodes the chunked transfer coding, strictly by RFC 9112, section 7.1.
///
/// The decoder does no I/O: it accepts the body in pieces of any size. It checks chunk extensions and trailers, and drops them.
struct ChunkedDecoder {
    private enum State {
        case size(digits: Int)
        case sizeEnd  // the line feed after a size
        case chunkExtension(ChunkExtension)
        case data
        case dataReturn  // the carriage return after a chunk
        case dataEnd  // the line feed after a chunk
        case trailerStart
        case trailerName
        case trailerValue
        case trailerEnd
        case finalEnd
        case finished
    }

    private let limits: ServerConfiguration.Limits
    private var state = State.size(digits: 0)
    /// The number of missing bytes of the current chunk.
    private var remaining = 0
    private var extensionBytes = 0
    private var extensionBytesInAll = 0
    private var trailerBytes = 0

    init(limits: ServerConfiguration.Limits) {
        self.limits = limits
    }

    /// Whether the last chunk and the trailers have been read.
    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Reads from `position` to the next data, and moves `position` behind the bytes it has read.
    ///
    /// - Returns: the range of the data in `input`; nil if the body is finished, or if the decoder needs more bytes.
    mutating func next(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) -> Range<Int>? {
        while position < input.count {
            if case .finished = state { return nil }
            if case .data = state {
                // `position + remaining` could overflow, because the client chooses the chunk's size.
                let data = position..<(position + min(remaining, input.count - position))
                position = data.upperBound
                remaining -= data.count
                if remaining == 0 { state = .dataReturn }
                return data
            }
            try step(input[position])
            position += 1
        }
        return nil
    }

    private mutating func step(_ byte: UInt8) throws(RequestError) {
        switch state {
        case .size(let digits): try readSize(byte, digits)
        case .chunkExtension(let part): try readExtension(byte, part)
        case .sizeEnd:
            try expect(ASCII.lineFeed, byte, "after a chunk's size")
            extensionBytes = 0
            state = remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            try expect(ASCII.carriageReturn, byte, "after a chunk")
            state = .dataEnd
        case .dataEnd:
            try expect(ASCII.lineFeed, byte, "after a chunk")
            state = .size(digits: 0)
        case .trailerStart, .trailerName, .trailerValue: try readTrailer(byte)
        case .trailerEnd:
            try expect(ASCII.lineFeed, byte, "after a trailer")
            state = .trailerStart
        case .finalEnd:
            try expect(ASCII.lineFeed, byte, "after the last chunk")
            state = .finished
        case .data, .finished: break
        }
    }

    private func expect(_ expected: UInt8, _ byte: UInt8, _ place: String) throws(RequestError) {
        guard byte == expected else { throw .malformed("no line ending \(place) of a chunked body") }
    }

    private mutating func readSize(_ byte: UInt8, _ digits: Int) throws(RequestError) {
        if let digit = ASCII.hexadecimal(byte) {
            // Leading zeros are legal, but their number is limited.
            guard digits < 16, remaining < Int.max / 16 else { throw .malformed("a chunk's size that is too large") }
            remaining = remaining * 16 + Int(digit)
            state = .size(digits: digits + 1)
        } else if digits > 0, byte == ASCII.carriageReturn {
            state = .sizeEnd
        } else if digits > 0, byte == ASCII.semicolon {
            state = .chunkExtension(.nameStart)
        } else {
            throw .malformed("a chunk's size that is not a plain hexadecimal number")
        }
    }

    private mutating func readExtension(_ byte: UInt8, _ part: ChunkExtension) throws(RequestError) {
        if byte == ASCII.carriageReturn, part.mayEnd {
            state = .sizeEnd
            return
        }
        guard let next = part.after(byte) else { throw .malformed("a chunk extension that is not name=value") }
        state = .chunkExtension(next)
        extensionBytes += 1
        extensionBytesInAll += 1
        guard extensionBytes <= limits.chunkExtension, extensionBytesInAll <= limits.chunkExtensionsInAll else {
            throw .malformed("chunk extensions that are too long")
        }
    }

    private mutating func readTrailer(_ byte: UInt8) throws(RequestError) {
        trailerBytes += 1
        guard trailerBytes <= limits.trailers else { throw .headTooLarge(limit: limits.trailers) }
        switch state {
        case .trailerStart where byte == ASCII.carriageReturn: state = .finalEnd
        case .trailerStart where ByteSet.token.contains(byte), .trailerName where ByteSet.token.contains(byte):
            state = .trailerName
        case .trailerName where byte == ASCII.colon: state = .trailerValue
        case .trailerValue where byte == ASCII.carriageReturn: state = .trailerEnd
        case .trailerValue where !ASCII.isForbiddenControl(byte): break
        default: throw .malformed("a trailer of a chunked body that is not a field line")
        }
    }
}

/// The position in a chunk extension: `;name`, `;name=token` or `;name="text"` (RFC 9112, section 7.1.1).
///
/// Old senders put blanks around `;` and `=`. They are refused here.
enum ChunkExtension {
    case nameStart, name, valueStart, value, quoted, quotedEscape, quotedEnd

    /// Whether the chunk's line may end at this position.
    var mayEnd: Bool { self == .name || self == .value || self == .quotedEnd }

    /// The position after one more byte; nil if the byte isn't allowed.
    func after(_ byte: UInt8) -> ChunkExtension? {
        let isToken = ByteSet.token.contains(byte)
        switch (self, byte) {
        case (.name, UInt8(ascii: "=")): return .valueStart
        case (.name, ASCII.semicolon), (.value, ASCII.semicolon), (.quotedEnd, ASCII.semicolon): return .nameStart
        case (.nameStart, _), (.name, _): return isToken ? .name : nil
        case (.valueStart, UInt8(ascii: "\"")): return .quoted
        case (.valueStart, _), (.value, _): return isToken ? .value : nil
        case (.quoted, UInt8(ascii: "\"")): return .quotedEnd
        case (.quoted, UInt8(ascii: "\\")): return .quotedEscape
        case (.quoted, _), (.quotedEscape, _): return ASCII.isForbiddenControl(byte) ? nil : .quoted
        case (.quotedEnd, _): return nil
        }
    }
}
