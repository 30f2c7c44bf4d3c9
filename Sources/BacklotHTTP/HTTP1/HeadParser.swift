/// Reads the head of a request, strictly by RFC 9112, from bytes that may arrive in any pieces.
///
/// A value without I/O: each time more bytes have come, it gets all bytes of the message so far, and remembers how far it has
/// read. It checks each byte once it has arrived, and each line once it is complete. So it refuses bytes that can't become a
/// request at once.
struct HeadParser {
    /// The limits that concern a head.
    private struct Limits {
        var requestLine: Int
        var head: Int
        var fields: Int
        var emptyLines: Int
    }

    private let limits: Limits
    /// The start of the line that is being read.
    private var lineStart = 0
    /// The end of the bytes of that line that have been searched for a line ending.
    private var searched = 0
    private var emptyLines = 0
    private var headStart = 0
    private var requestLine: RequestLine?
    private var fields = FieldTable()
    private var framing = FramingFields()

    init(limits: ServerConfiguration.Limits) {
        self.init(
            Limits(
                requestLine: limits.requestLine,
                head: limits.head,
                fields: limits.fields,
                emptyLines: limits.leadingEmptyLines
            )
        )
    }

    private init(_ limits: Limits) {
        self.limits = limits
    }

    /// Whether a byte of a request has been seen; empty lines before it don't count.
    func hasBegun(_ input: Span<UInt8>) -> Bool {
        requestLine != nil || input.count > headStart
    }

    /// Whether the method has been read and is HEAD.
    func isHead(_ input: Span<UInt8>) -> Bool {
        requestLine.map { input.equals($0.method, "HEAD") } ?? false
    }

    /// Continues reading.
    ///
    /// - Parameter input: all bytes since the end of the last message.
    /// - Returns: the head once it is whole; its length counts from the start of `input`. The parser is then ready for
    ///   the next head. nil while bytes are missing.
    mutating func parse(_ input: Span<UInt8>) throws(RequestError) -> RequestHead? {
        while let end = try lineEnd(input) {
            let line = lineStart..<end
            lineStart = end + 2
            searched = lineStart
            if requestLine == nil {
                try readFirstLine(line, input)
            } else if line.isEmpty {
                return try finish(input)
            } else {
                try readField(line, input)
            }
        }
        return nil
    }

    /// The index of the current line's carriage return, once its line feed has arrived.
    private mutating func lineEnd(_ input: Span<UInt8>) throws(RequestError) -> Int? {
        let count = input.count
        let isRequestLine = requestLine == nil
        // RFC 9112, sections 2.2 and 5.2: the rest of such a line doesn't matter. If the lines before it are already
        // too long, that is the error instead: the byte after them may not have arrived yet.
        if !isRequestLine, lineStart < count, ASCII.isBlank(input[lineStart]), lineStart - headStart <= limits.head {
            throw .malformed("a header field continued on a second line (obs-fold)")
        }
        let end = input.firstForbiddenControl(from: searched)
        searched = end
        // This check comes before the next byte's, so that the error doesn't depend on how the bytes arrive.
        if isRequestLine, end - lineStart > limits.requestLine { throw tooLong(input) }
        if end - headStart > limits.head { throw .headTooLarge(limit: limits.head) }
        if end < count {
            guard input[end] == ASCII.carriageReturn else { throw Self.strayControl(input[end]) }
            guard end + 1 == count || input[end + 1] == ASCII.lineFeed else {
                throw .malformed("a carriage return without a line feed")
            }
        }
        return end + 1 < count ? end : nil
    }

    /// If the target hasn't begun, the method is too long.
    private func tooLong(_ input: Span<UInt8>) -> RequestError {
        let limit = limits.requestLine
        let isTarget = (lineStart..<(lineStart + limit)).contains { input[$0] == ASCII.space }
        return isTarget ? .targetTooLong(limit: limit) : .malformed("the method is longer than \(limit) bytes")
    }

    private static func strayControl(_ byte: UInt8) -> RequestError {
        if byte == ASCII.lineFeed { return .malformed("a line feed without a carriage return") }
        if byte == 0x16 { return .encrypted }
        return .malformed("the head has a control byte (value \(byte))")
    }

    private mutating func readFirstLine(_ line: Range<Int>, _ input: Span<UInt8>) throws(RequestError) {
        if line.isEmpty {
            // RFC 9112, section 2.2: old clients send an empty line after a body.
            emptyLines += 1
            guard emptyLines <= limits.emptyLines else {
                throw .malformed("too many empty lines before a request")
            }
            headStart = lineStart
        } else {
            requestLine = try RequestLine(line, in: input)
        }
    }

    private mutating func readField(_ line: Range<Int>, _ input: Span<UInt8>) throws(RequestError) {
        guard fields.count < limits.fields else { throw .tooManyFields(limit: limits.fields) }
        let index = input.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        guard index > line.lowerBound, index < line.upperBound, input[index] == ASCII.colon else {
            throw Self.badField(line, at: index, input)
        }
        let name = (line.lowerBound - headStart)..<(index - headStart)
        let value = input.trimmed((index + 1)..<line.upperBound)
        let field = FieldRange(name: name, value: (value.lowerBound - headStart)..<(value.upperBound - headStart))
        try framing.note(field, in: input.extracting(headStart...))
        fields.append(field, initial: input[line.lowerBound])
    }

    private static func badField(_ line: Range<Int>, at index: Int, _ input: Span<UInt8>) -> RequestError {
        guard index < line.upperBound else { return .malformed("a header line without a colon") }
        if index == line.lowerBound { return .malformed("a header line that doesn't begin with a name") }
        if ASCII.isBlank(input[index]) { return .malformed("a space in or after a header's name") }
        return .malformed("a header's name has a byte that no name may have")
    }

    private mutating func finish(_ input: Span<UInt8>) throws(RequestError) -> RequestHead {
        guard var line = requestLine else { throw .malformed("there is no request line") }
        if framing.hosts == 0, !line.isHTTP10 { throw .malformed("an HTTP/1.1 request without Host") }
        line.shift(by: -headStart)
        let bytes = input.extracting(headStart..<lineStart)
        if bytes[line.target.lowerBound] != ASCII.slash { nameHost(of: line, bytes) }
        let head = RequestHead(
            bytes: Array(copying: bytes),
            line: line,
            fields: fields,
            framing: try framing.framing(isHTTP10: line.isHTTP10),
            isPersistent: framing.isPersistent(isHTTP10: line.isHTTP10),
            expectsContinue: framing.expectsContinue && !line.isHTTP10,
            length: lineStart
        )
        reset()
        return head
    }

    /// Makes the parser ready for the next head.
    private mutating func reset() {
        (lineStart, searched, emptyLines, headStart) = (0, 0, 0, 0)
        requestLine = nil
        fields.removeAll()
        framing = FramingFields()
    }

    /// The host in an absolute target takes precedence over `Host` (RFC 9112, section 3.2.2): a cache in front may have
    /// used the target.
    private mutating func nameHost(of line: RequestLine, _ head: Span<UInt8>) {
        guard let authority = RequestTarget.authority(of: line.target, in: head),
            let index = fields.firstIndex(where: { head.equals($0.name, ignoringCase: "host") })
        else { return }
        fields[index] = FieldRange(name: fields[index].name, value: authority)
    }
}
