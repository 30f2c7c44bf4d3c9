internal import HTTPTypes

/// The head of a response: the status line and the header fields (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPResponse.Status
    let fields: FieldList
    /// Whether the server keeps the connection open after the response, according to its version and `Connection` (RFC 9112, section 9.3).
    let isPersistent: Bool
    /// The value of the only `Content-Length`; nil without one, and if it needs a closer look.
    let plainLength: Int?
    /// Whether fields decide how the body ends.
    let hasFraming: Bool

    /// Reads a head. Its lines end in a line feed, with or without a carriage return before it (RFC 9112, section 2.2).
    ///
    /// - Parameter bytes: the head, with or without the empty line at its end.
    /// - Throws: `ClientConnectionError.malformed`.
    init(_ bytes: Span<UInt8>) throws(ClientConnectionError) {
        var status: HTTPResponse.Status?
        var fields = FieldList()
        fields.reserve(fields: 16, bytes: bytes.count)
        var framing = Framing()
        var start = 0
        while start < bytes.count {
            let control = bytes.firstForbiddenControl(from: start)
            var end = control
            while end < bytes.count, bytes[end] != ASCII.lineFeed { end = bytes.firstForbiddenControl(from: end + 1) }
            let next = end + 1
            if end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            if status == nil {
                status = try Self.status(start..<end, bytes)
            } else if start < end {
                let (name, value) = try Self.field(start..<end, bytes)
                framing.note(name, value, bytes)
                if control < end {
                    fields.append(checking: bytes.extracting(value), named: bytes.extracting(name))
                } else {
                    fields.append(bytes.extracting(name), bytes.extracting(value))
                }
            }
            start = next
        }
        guard let status else { throw .malformed("it has no status line") }
        self.status = status
        self.fields = fields
        isPersistent = framing.isPersistent(isHTTP10: bytes[7] == UInt8(ascii: "0"))
        plainLength = framing.lengths == 1 && !framing.hasCoding ? framing.length : nil
        hasFraming = framing.lengths > 0 || framing.hasCoding
    }

    private static func status(
        _ line: Range<Int>,
        _ bytes: Span<UInt8>
    ) throws(ClientConnectionError) -> HTTPResponse.Status {
        let start = line.lowerBound
        guard line.count >= 12, bytes.equals(start..<(start + 7), "HTTP/1."), ASCII.isDigit(bytes[start + 7]),
            bytes[start + 8] == ASCII.space, line.count == 12 || bytes[start + 12] == ASCII.space
        else { throw .malformed("its first line is not a status line: \(excerpt(line, bytes))") }
        guard let code = bytes.decimal((start + 9)..<(start + 12)) else {
            throw .malformed("its status is not a number: \(excerpt(line, bytes))")
        }
        guard code >= 100 else { throw .malformed("its status is below 100: \(excerpt(line, bytes))") }
        if code == 200, bytes.equals((start + 12)..<line.upperBound, " OK") { return .ok }
        return HTTPResponse.Status(
            code: code,
            reasonPhrase: bytes.string(min(start + 13, line.upperBound)..<line.upperBound)
        )
    }

    private static func field(
        _ line: Range<Int>,
        _ bytes: Span<UInt8>
    ) throws(ClientConnectionError) -> (name: Range<Int>, value: Range<Int>) {
        let index = bytes.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        guard index > line.lowerBound, index < line.upperBound, bytes[index] == ASCII.colon else {
            guard bytes[line.lowerBound] > 0x20 else {
                throw .malformed("a line of its head begins with a blank, as no header field does")
            }
            // The text after the name may be a secret.
            let name =
                line.lowerBound..<(line.first { bytes[$0] <= 0x20 || bytes[$0] == ASCII.colon } ?? line.upperBound)
            throw .malformed("a line of its head is not a header field: \(excerpt(name, bytes))")
        }
        return (line.lowerBound..<index, bytes.trimmed((index + 1)..<line.upperBound))
    }

    /// The start of a line, for an error's text.
    static func excerpt(_ line: Range<Int>, _ bytes: Span<UInt8>) -> String {
        let text = bytes.string(line.lowerBound..<min(line.upperBound, line.lowerBound + 60))
        return "\"" + text.unicodeScalars.map { $0.value < 0x20 ? "." : String($0) }.joined() + "\""
    }
}

/// The fields of a head that decide about the end of its message and of its connection.
private struct Framing {
    var lengths = 0
    var length: Int?
    var hasCoding = false
    private var options = ConnectionOptions()

    mutating func note(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) {
        switch name.count {
        case 10 where bytes.equals(name, ignoringCase: "connection"): options.note(value, in: bytes)
        case 14 where bytes.equals(name, ignoringCase: "content-length"):
            lengths += 1
            length = bytes.decimal(value)
        case 17 where bytes.equals(name, ignoringCase: "transfer-encoding"): hasCoding = true
        default: break
        }
    }

    func isPersistent(isHTTP10: Bool) -> Bool {
        // The head may have two ways to mark the end of the response, or a way that its version doesn't have. The next response
        // may then not be this server's (RFC 9112, sections 6.1 and 6.3).
        !(hasCoding && (lengths > 0 || isHTTP10)) && options.isPersistent(isHTTP10: isHTTP10)
    }
}
