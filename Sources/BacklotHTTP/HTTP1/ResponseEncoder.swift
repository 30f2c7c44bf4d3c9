internal import HTTPTypes

/// Writes answers as HTTP/1.1 sends them (RFC 9112, sections 4 to 7).
struct ResponseEncoder {
    /// The request was HEAD: the head says what GET would get, and nothing follows it.
    var isHead = false
    /// The client speaks HTTP/1.0: it knows no chunks, and keeps the connection only if the answer says so.
    var isHTTP10 = false
    /// Whether another request may follow on the connection.
    var isPersistent = false
    /// Whether the client has got the first byte already, as a probe.
    var isBegun = false
    /// The field line `Date`, ending included.
    var dateLine: [UInt8]

    /// How the body of an answer will be framed.
    func framing(of response: Response) -> ResponseFraming {
        if isHead || !Self.mayHaveBody(response.status) || Self.hasEmptyBody(response.status) { return .none }
        switch response.body {
        case .empty, .bytes, .file, .fault, .stream(length: .some, _): return .length
        case .stream(length: nil, _): return isHTTP10 ? .untilClose : .chunked
        }
    }

    /// Appends the head, and the body where all of it is there and small enough to be copied.
    @discardableResult
    func write(_ response: Response, into output: inout [UInt8]) -> ResponseFraming {
        let (start, framing) = (output.count, framing(of: response))
        let keepsDate = response.bringsDate
        let reason = response.status.reasonPhrase.utf8.count
        let common = response.common?.lines ?? []
        ByteCursor.append(to: &output, room: 64 + reason + dateLine.count + 64 + common.count) { head in
            writeStatusLine(response.status, to: &head)
            if !keepsDate { head.put(dateLine.span) }
            writeFraming(of: response, to: &head)
            head.put(common.span)
        }
        if let passed = response.passed {
            ByteCursor.append(to: &output, room: passed.linesCount) { lines in
                passed.writeLines(to: &lines) { Self.isOwn($0) && !(keepsDate && $0.count == 4) }
            }
        } else if response.common == nil {
            for field in response.headers {
                let name = field.name.rawName.utf8.span
                if !Self.isOwn(name) || keepsDate && name.count == 4 { Self.write(field, into: &output) }
            }
        }
        if case .bytes(let bytes) = response.body, bytes.count <= OutgoingSlice.copiedBytes, framing == .length {
            ByteCursor.append(to: &output, room: bytes.count + 2) { end in
                end.put("\r\n")
                end.put(bytes.span)
            }
        } else {
            output.append("\r\n")
        }
        if isBegun { output.remove(at: start) }
        return framing
    }

    private func writeStatusLine(_ status: HTTPResponse.Status, to head: inout ByteCursor) {
        guard status.code != 200 else { return head.put("HTTP/1.1 200 OK\r\n") }
        head.put("HTTP/1.1 ")
        head.put(decimal: status.code)
        head.put(ASCII.space)
        head.put(status.reasonPhrase.utf8.span)
        head.put("\r\n")
    }

    private func writeFraming(of response: Response, to head: inout ByteCursor) {
        if Self.hasEmptyBody(response.status) {
            Self.writeLength(0, to: &head)
        } else if Self.mayHaveBody(response.status) {
            switch response.body {
            case .empty, .fault: Self.writeLength(0, to: &head)
            case .bytes(let bytes): Self.writeLength(bytes.count, to: &head)
            case .file(let slice): Self.writeLength(slice.count, to: &head)
            case .stream(length: let length?, _): Self.writeLength(length, to: &head)
            case .stream(length: nil, _):
                if !isHTTP10 { head.put("Transfer-Encoding: chunked\r\n") }
            }
        }
        if !isPersistent {
            head.put("Connection: close\r\n")
        } else if isHTTP10 {
            head.put("Connection: keep-alive\r\n")
        }
    }

    private static func writeLength(_ length: Int, to head: inout ByteCursor) {
        head.put("Content-Length: ")
        head.put(decimal: length)
        head.put("\r\n")
    }

    /// The lines of some fields.
    static func lines(of fields: HTTPFields) -> [UInt8] {
        var lines: [UInt8] = []
        for field in fields { write(field, into: &lines) }
        return lines
    }

    private static func write(_ field: HTTPField, into output: inout [UInt8]) {
        let name = field.name.rawName.utf8.span
        // The bytes as they are: making a string of them first costs three times as many instructions.
        unsafe field.withUnsafeBytesOfValue { value in
            ByteCursor.append(to: &output, room: name.count + value.count + 4) { line in
                line.put(name)
                line.put(": ")
                unsafe line.put(value.span)
                line.put("\r\n")
            }
        }
    }

    /// Appends one chunk of a streamed body.
    static func writeChunk(_ bytes: [UInt8], into output: inout [UInt8]) {
        output.append(contentsOf: String(bytes.count, radix: 16).utf8)
        output.append("\r\n")
        output.append(contentsOf: bytes)
        output.append("\r\n")
    }

    /// Appends what ends a streamed body.
    static func writeEnd(_ framing: ResponseFraming, into output: inout [UInt8]) {
        if framing == .chunked { output.append("0\r\n\r\n") }
    }

    /// 205: a body is possible, but must be empty (RFC 9110, section 15.3.6).
    static func hasEmptyBody(_ status: HTTPResponse.Status) -> Bool { status.code == 205 }

    /// RFC 9110, section 6.4.1.
    static func mayHaveBody(_ status: HTTPResponse.Status) -> Bool {
        status.code >= 200 && status.code != 204 && status.code != 304
    }

    /// Whether a field is one that only the server may write.
    static func isOwn(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 4: name.equals(all, ignoringCase: "date")
        case 10: name.equals(all, ignoringCase: "connection")
        case 14: name.equals(all, ignoringCase: "content-length")
        case 17: name.equals(all, ignoringCase: "transfer-encoding")
        default: false
        }
    }
}

/// How an answer marks the end of its body (RFC 9112, section 6).
enum ResponseFraming: Equatable {
    /// No body is sent.
    case none
    /// By `Content-Length`.
    case length
    /// In chunks, the last of them empty.
    case chunked
    /// By the end of the connection: for clients of HTTP/1.0.
    case untilClose
}

extension ResponseEncoder {
    /// Writes the response to a request of a connection.
    init(to request: HTTP1Machine.Traits, dateLine: [UInt8]) {
        (isHead, isHTTP10) = (request.contains(.head), request.contains(.http10))
        isPersistent = request.contains(.persistent)
        isBegun = request.isSuperset(of: [.probed, .http10])
        self.dateLine = dateLine
    }
}
