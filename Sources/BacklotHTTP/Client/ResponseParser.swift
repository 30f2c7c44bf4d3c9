internal import HTTPTypes

/// Reads one answer from bytes that arrive in any pieces (RFC 9112, sections 4 to 7). A value without I/O.
struct ResponseParser {
    /// How far the answer has come.
    enum Progress: Equatable {
        /// More bytes are needed.
        case incomplete
        /// A 100: the server wants the body. The answer is still to come.
        case `continue`
        /// The answer is whole.
        case finished
    }

    private enum Body {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
        case untilClose
    }

    private static let start = Array("HTTP/1.".utf8)

    private let bounds: ClientBounds
    private let isHead: Bool
    /// Bytes that belong to no head yet.
    private var pending: [UInt8] = []
    private var searched = 0
    private var wasContinued = false
    private var head: ResponseHead?
    private var framing: Body?
    private(set) var body: [UInt8] = []
    private(set) var isFinished = false

    /// A parser of the answer to one request.
    init(bounds: ClientBounds, isHead: Bool) {
        self.bounds = bounds
        self.isHead = isHead
    }

    /// The status and the header fields; nil while the head isn't whole.
    var response: (status: HTTPResponse.Status, headers: HTTPFields)? { head.map { ($0.status, $0.headers) } }

    /// Takes in bytes. What comes after the end of the answer is dropped.
    mutating func feed(_ bytes: Span<UInt8>) throws(ClientFault) -> Progress {
        if head != nil { return try feedBody(bytes) }
        pending.append(copying: bytes)
        return try readHeads()
    }

    /// Reads on in what is there already, after a 100.
    mutating func resume() throws(ClientFault) -> Progress {
        head == nil ? try readHeads() : isFinished ? .finished : .incomplete
    }

    /// The connection has ended.
    mutating func end() throws(ClientFault) {
        if case .untilClose? = framing { isFinished = true }
        guard !isFinished else { return }
        throw .cutShort(bodyBytes: head == nil ? nil : body.count)
    }

    // MARK: The head

    private mutating func readHeads() throws(ClientFault) -> Progress {
        try checkStart()
        while let end = headEnd() {
            guard end <= bounds.head else { throw .headTooLarge(limit: bounds.head) }
            let bytes = pending
            let head = try ResponseHead(bytes.span.extracting(..<end))
            pending = Array(bytes[end...])
            searched = 0
            if head.status.code == 100, !wasContinued {
                wasContinued = true
                return .continue
            }
            // Other interim answers say nothing that a client needs (RFC 9110, section 15.2).
            if head.status.kind == .informational { continue }
            self.head = head
            try chooseFraming(head)
            let rest = pending
            pending = []
            return try feedBody(rest.span)
        }
        guard pending.count <= bounds.head else { throw .headTooLarge(limit: bounds.head) }
        return .incomplete
    }

    /// Bytes that can't become a status line are refused at once: there is no telling when they would end.
    private func checkStart() throws(ClientFault) {
        guard zip(pending, Self.start).allSatisfy({ $0 == $1 }) else {
            let bytes = pending
            throw .malformed("it doesn't begin as HTTP/1.1 does: \(ResponseHead.excerpt(0..<bytes.count, bytes.span))")
        }
    }

    /// The index after the empty line that ends a head.
    private mutating func headEnd() -> Int? {
        var index = max(searched, 1)
        while index < pending.count {
            if pending[index] == ASCII.lineFeed {
                let before = pending[index - 1]
                if before == ASCII.lineFeed { return index + 1 }
                if before == ASCII.carriageReturn, index >= 2, pending[index - 2] == ASCII.lineFeed { return index + 1 }
            }
            index += 1
        }
        searched = pending.count
        return nil
    }

    /// How the end of the body is told (RFC 9112, section 6.3).
    private mutating func chooseFraming(_ head: ResponseHead) throws(ClientFault) {
        if isHead || head.status.code == 204 || head.status.code == 304 {
            isFinished = true
            return
        }
        let codings = head.headers[values: .transferEncoding]
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw .malformed("its transfer coding is unknown: \(codings.joined(separator: ", ").prefix(60))")
            }
            framing = .chunked(ChunkedDecoder(limits: ServerConfiguration.Limits()))
            return
        }
        let lengths = Set(
            head.headers[values: .contentLength].flatMap { $0.split(separator: ",").map { String($0.trimmed) } }
        )
        guard let text = lengths.first else {
            framing = .untilClose
            return
        }
        guard lengths.count == 1 else {
            throw .malformed("its Content-Lengths differ: \(lengths.sorted().joined(separator: ", ").prefix(60))")
        }
        guard text.utf8.allSatisfy(ASCII.isDigit), let length = Int(text) else {
            throw .malformed("its Content-Length is no number, or too large: \(text.prefix(60))")
        }
        guard length <= bounds.body else { throw .bodyTooLarge(limit: bounds.body) }
        framing = .length(remaining: length)
        isFinished = length == 0
    }

    // MARK: The body

    private mutating func feedBody(_ bytes: Span<UInt8>) throws(ClientFault) -> Progress {
        guard !isFinished else { return .finished }
        switch framing {
        case .length(let remaining):
            let count = min(remaining, bytes.count)
            body.append(copying: bytes.extracting(..<count))
            framing = .length(remaining: remaining - count)
            isFinished = count == remaining
        case .chunked(var decoder):
            try feedChunks(bytes, &decoder)
            framing = .chunked(decoder)
            isFinished = decoder.isFinished
        case .untilClose, nil:
            body.append(copying: bytes)
        }
        guard body.count <= bounds.body else { throw .bodyTooLarge(limit: bounds.body) }
        return isFinished ? .finished : .incomplete
    }

    private mutating func feedChunks(_ bytes: Span<UInt8>, _ decoder: inout ChunkedDecoder) throws(ClientFault) {
        var position = 0
        do throws(RequestError) {
            while let data = try decoder.next(bytes, from: &position) {
                body.append(copying: bytes.extracting(data))
            }
        } catch {
            if case .malformed(let what) = error { throw .malformed(what) }
            throw .malformed(error.reason)
        }
    }
}

/// The head of an answer: the status line and the header fields (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPResponse.Status
    let headers: HTTPFields

    /// Reads a head. Its lines end in a line feed, with a carriage return before it or not (RFC 9112, section 2.2).
    ///
    /// - Parameter bytes: the head, with the empty line at its end or without.
    /// - Throws: `ClientFault.malformed`.
    init(_ bytes: Span<UInt8>) throws(ClientFault) {
        var status: HTTPResponse.Status?
        var headers = HTTPFields()
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != ASCII.lineFeed { end += 1 }
            let next = end + 1
            if end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            if status == nil {
                status = try Self.status(start..<end, bytes)
            } else if start < end {
                headers.append(try Self.field(start..<end, bytes))
            }
            start = next
        }
        guard let status else { throw .malformed("it has no status line") }
        self.status = status
        self.headers = headers
    }

    private static func status(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(ClientFault) -> HTTPResponse.Status {
        let start = line.lowerBound
        guard line.count >= 12, bytes.equals(start..<(start + 7), "HTTP/1."), ASCII.isDigit(bytes[start + 7]),
            bytes[start + 8] == ASCII.space, line.count == 12 || bytes[start + 12] == ASCII.space
        else { throw .malformed("its first line is no status line: \(excerpt(line, bytes))") }
        var code = 0
        for index in (start + 9)..<(start + 12) {
            guard ASCII.isDigit(bytes[index]) else {
                throw .malformed("its status is no number: \(excerpt(line, bytes))")
            }
            code = code * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        guard code >= 100 else { throw .malformed("its status is below 100: \(excerpt(line, bytes))") }
        return HTTPResponse.Status(
            code: code,
            reasonPhrase: bytes.string(min(start + 13, line.upperBound)..<line.upperBound)
        )
    }

    private static func field(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(ClientFault) -> HTTPField {
        let index = bytes.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        guard index < line.upperBound, bytes[index] == ASCII.colon,
            let name = HTTPField.Name(bytes.string(line.lowerBound..<index))
        else { throw .malformed("a line of its head is no header field: \(excerpt(line, bytes))") }
        return HTTPField(name: name, value: bytes.string(bytes.trimmed((index + 1)..<line.upperBound)))
    }

    /// The start of a line, for an error's text.
    static func excerpt(_ line: Range<Int>, _ bytes: Span<UInt8>) -> String {
        let text = bytes.string(line.lowerBound..<min(line.upperBound, line.lowerBound + 60))
        return "\"" + text.unicodeScalars.map { $0.value < 0x20 ? "." : String($0) }.joined() + "\""
    }
}
