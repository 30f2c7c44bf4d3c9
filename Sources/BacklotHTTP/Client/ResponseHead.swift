internal import HTTPTypes

/// The head of an answer: the status line and the header fields (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// Whether the server lets the connection live on after the answer, as far as its version and `Connection` say (RFC 9112,
    /// section 9.3).
    let isPersistent: Bool

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
        isPersistent = Self.isPersistent(headers, isHTTP10: bytes[7] == UInt8(ascii: "0"))
    }

    private static func isPersistent(_ headers: HTTPFields, isHTTP10: Bool) -> Bool {
        var (closes, keepsAlive, hasLength, hasCoding) = (false, false, false, false)
        for field in headers {
            let name = field.name.canonicalName
            switch name.utf8.count {
            case 10 where name == "connection":
                for option in field.value.split(separator: ",") {
                    let option = option.trimmed.lowercased()
                    if option == "close" { closes = true }
                    if option == "keep-alive" { keepsAlive = true }
                }
            case 14 where name == "content-length": hasLength = true
            case 17 where name == "transfer-encoding": hasCoding = true
            default: break
            }
        }
        // Two ways to tell where the answer ends, or one that its version doesn't have: the next one may be no answer of this
        // server (RFC 9112, sections 6.1 and 6.3).
        if hasCoding, hasLength || isHTTP10 { return false }
        return !closes && (!isHTTP10 || keepsAlive)
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
        let value = bytes.extracting(bytes.trimmed((index + 1)..<line.upperBound))
        // Bytes that are no UTF-8 stay the same bytes.
        return unsafe value.withUnsafeBufferPointer { unsafe HTTPField(name: name, value: $0) }
    }

    /// The start of a line, for an error's text.
    static func excerpt(_ line: Range<Int>, _ bytes: Span<UInt8>) -> String {
        let text = bytes.string(line.lowerBound..<min(line.upperBound, line.lowerBound + 60))
        return "\"" + text.unicodeScalars.map { $0.value < 0x20 ? "." : String($0) }.joined() + "\""
    }
}
