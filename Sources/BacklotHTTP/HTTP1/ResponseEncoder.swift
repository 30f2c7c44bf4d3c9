internal import HTTPTypes

/// Writes responses in the form of HTTP/1.1 (RFC 9112, sections 4 to 7).
struct ResponseEncoder {
    /// Whether the request was HEAD: the response has the head that GET would get, without a body.
    var isHead = false
    /// Whether the client speaks HTTP/1.0: it can't read chunks, and keeps the connection only if the response says so.
    var isHTTP10 = false
    /// Whether another request may follow on the connection.
    var isPersistent = false
    /// Whether the client has already received the first byte, as a probe.
    var isBegun = false
    /// Whether the client wants to go on in another protocol.
    var isUpgradable = false
    /// The field line `Date`, ending included.
    var dateLine: [UInt8]

    /// Decides how to frame a response's body.
    func framing(of response: Response) -> ResponseFraming {
        if upgrades(response) { return .upgraded }
        if isHead || !Self.mayHaveBody(response.status) || Self.hasEmptyBody(response.status) { return .none }
        switch response.body {
        case .empty, .bytes, .file, .fault, .stream(length: .some, _): return .length
        case .stream(length: nil, _): return isHTTP10 ? .untilClose : .chunked
        }
    }

    /// Whether a response ends HTTP on the connection (RFC 9110, section 15.2.2).
    private func upgrades(_ response: Response) -> Bool {
        guard isUpgradable, response.status.code == 101, case .stream = response.body else { return false }
        return true
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
        if upgrades(response) {
            head.put("Connection: Upgrade\r\n")
        } else if !isPersistent {
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

    /// The lines of fields.
    static func lines(of fields: HTTPFields) -> [UInt8] {
        var lines: [UInt8] = []
        for field in fields { write(field, into: &lines) }
        return lines
    }

    private static func write(_ field: HTTPField, into output: inout [UInt8]) {
        let name = field.name.rawName.utf8.span
        // The unchanged bytes: creating a string first costs three times as many instructions.
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

    /// Appends the end of a streamed body.
    static func writeEnd(_ framing: ResponseFraming, into output: inout [UInt8]) {
        if framing == .chunked { output.append("0\r\n\r\n") }
    }

    /// 205: the response could have a body, but it must be empty (RFC 9110, section 15.3.6).
    static func hasEmptyBody(_ status: HTTPResponse.Status) -> Bool { status.code == 205 }

    /// RFC 9110, section 6.4.1.
    static func mayHaveBody(_ status: HTTPResponse.Status) -> Bool {
        status.code >= 200 && status.code != 204 && status.code != 304
    }

    /// Whether only the server may write a field of this name.
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

/// The way a response marks the end of its body (RFC 9112, section 6).
enum ResponseFraming: Equatable {
    /// No body is sent.
    case none
    /// By `Content-Length`.
    case length
    /// In chunks; the last one is empty.
    case chunked
    /// By the end of the connection: for clients of HTTP/1.0.
    case untilClose
    /// By the end of the connection, which speaks another protocol from here on.
    case upgraded
}

extension ResponseEncoder {
    /// Creates an encoder for the response to a request on a connection.
    init(to request: HTTP1Machine.Traits, dateLine: [UInt8]) {
        (isHead, isHTTP10) = (request.contains(.head), request.contains(.http10))
        isPersistent = request.contains(.persistent)
        isBegun = request.isSuperset(of: [.probed, .http10])
        isUpgradable = request.contains(.upgradable)
        self.dateLine = dateLine
    }
}
