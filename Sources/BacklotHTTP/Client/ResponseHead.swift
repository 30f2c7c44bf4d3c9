internal import HTTPTypes

/// The head of an answer: the status line and the header fields (RFC 9112, sections 4 and 5).
struct ResponseHead {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// Whether the server lets the connection live on after the answer, as far as its version and `Connection` say (RFC 9112,
    /// section 9.3).
    let isPersistent: Bool
    /// The value of the one `Content-Length`; nil where there is none, and where it takes a closer look.
    let plainLength: Int?
    /// Whether fields say how the end of the body is told.
    let hasFraming: Bool

    /// Reads a head. Its lines end in a line feed, with a carriage return before it or not (RFC 9112, section 2.2).
    ///
    /// - Parameter bytes: the head, with the empty line at its end or without.
    /// - Throws: `ClientFault.malformed`.
    init(_ bytes: Span<UInt8>) throws(ClientFault) {
        var status: HTTPResponse.Status?
        var headers = HTTPFields()
        var framing = Framing()
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != ASCII.lineFeed { end += 1 }
            let next = end + 1
            if end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            if status == nil {
                status = try Self.status(start..<end, bytes)
            } else if start < end {
                let (name, value, field) = try Self.field(start..<end, bytes)
                framing.note(name, value, bytes)
                headers.append(field)
            }
            start = next
        }
        guard let status else { throw .malformed("it has no status line") }
        self.status = status
        self.headers = headers
        isPersistent = framing.isPersistent(isHTTP10: bytes[7] == UInt8(ascii: "0"))
        plainLength = framing.lengths == 1 && !framing.hasCoding ? framing.length : nil
        hasFraming = framing.lengths > 0 || framing.hasCoding
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

    private static func field(
        _ line: Range<Int>,
        _ bytes: Span<UInt8>
    ) throws(ClientFault) -> (name: Range<Int>, value: Range<Int>, field: HTTPField) {
        let index = bytes.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        guard index < line.upperBound, bytes[index] == ASCII.colon,
            let name = KnownFieldNames.name(line.lowerBound..<index, bytes)
        else {
            // What follows the name may be a secret.
            let name =
                line.lowerBound..<(line.first { bytes[$0] <= 0x20 || bytes[$0] == ASCII.colon } ?? line.upperBound)
            throw .malformed("a line of its head is no header field: \(excerpt(name, bytes))")
        }
        let range = bytes.trimmed((index + 1)..<line.upperBound)
        let value = bytes.extracting(range)
        // Bytes that are no UTF-8 stay the same bytes.
        let field = unsafe value.withUnsafeBufferPointer { unsafe HTTPField(name: name, value: $0) }
        return (line.lowerBound..<index, range, field)
    }

    /// The start of a line, for an error's text.
    static func excerpt(_ line: Range<Int>, _ bytes: Span<UInt8>) -> String {
        let text = bytes.string(line.lowerBound..<min(line.upperBound, line.lowerBound + 60))
        return "\"" + text.unicodeScalars.map { $0.value < 0x20 ? "." : String($0) }.joined() + "\""
    }
}

/// What the fields of a head say about the end of its message, and of its connection.
private struct Framing {
    var lengths = 0
    var length: Int?
    var hasCoding = false
    private var closes = false
    private var keepsAlive = false

    mutating func note(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) {
        switch name.count {
        case 10 where bytes.equals(name, ignoringCase: "connection"):
            forEachListElement(of: value, in: bytes) { element in
                if bytes.equals(element, ignoringCase: "close") { closes = true }
                if bytes.equals(element, ignoringCase: "keep-alive") { keepsAlive = true }
            }
        case 14 where bytes.equals(name, ignoringCase: "content-length"):
            lengths += 1
            length = Self.number(value, bytes)
        case 17 where bytes.equals(name, ignoringCase: "transfer-encoding"): hasCoding = true
        default: break
        }
    }

    private static func number(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        guard !value.isEmpty, value.count < 18 else { return nil }
        var number = 0
        for index in value {
            guard ASCII.isDigit(bytes[index]) else { return nil }
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return number
    }

    func isPersistent(isHTTP10: Bool) -> Bool {
        // Two ways to tell where the answer ends, or one that its version doesn't have: the next one may be no answer of this
        // server (RFC 9112, sections 6.1 and 6.3).
        if hasCoding, lengths > 0 || isHTTP10 { return false }
        return !closes && (!isHTTP10 || keepsAlive)
    }
}

/// Names of fields that most answers have. To make one of its bytes takes a thousand instructions.
private enum KnownFieldNames {
    /// By their length.
    private static let names: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var names = [[(bytes: [UInt8], name: HTTPField.Name)]](repeating: [], count: 32)
        for text in [
            "Accept-Ranges", "Access-Control-Allow-Origin", "Age", "Cache-Control", "Connection", "Content-Disposition",
            "Content-Encoding", "Content-Language", "Content-Length", "Content-Security-Policy", "Content-Type", "Date",
            "ETag",
            "Expires", "Keep-Alive", "Last-Modified", "Link", "Location", "Server", "Set-Cookie",
            "Strict-Transport-Security",
            "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate", "X-Content-Type-Options", "X-Frame-Options",
            "X-Powered-By", "X-Request-Id",
        ] {
            for text in [text, text.lowercased()] {
                guard let name = HTTPField.Name(text) else { continue }
                names[text.utf8.count].append((Array(text.utf8), name))
            }
        }
        return names
    }()

    /// The name in a range; nil where it is none.
    static func name(_ range: Range<Int>, _ bytes: Span<UInt8>) -> HTTPField.Name? {
        if range.count < names.count {
            for known in names[range.count] where bytes.holds(known.bytes, at: range.lowerBound) { return known.name }
        }
        return HTTPField.Name(bytes.string(range))
    }
}

extension Span where Element == UInt8 {
    /// Whether some bytes stand at a place.
    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        for index in bytes.indices where self[start + index] != bytes[index] { return false }
        return true
    }
}
