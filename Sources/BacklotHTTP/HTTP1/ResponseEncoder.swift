internal import HTTPTypes

/// Writes answers as HTTP/1.1 sends them (RFC 9112, sections 4 to 7).
struct ResponseEncoder {
    /// The request was HEAD: the head says what GET would get, and nothing follows it.
    var isHead: Bool
    /// The client speaks HTTP/1.0: it knows no chunks, and must be told that the connection lives on.
    var isHTTP10: Bool
    /// Whether another request may follow on the connection.
    var isPersistent: Bool
    /// The field line `Date`, ending included.
    var dateLine: [UInt8]

    /// How the body of an answer will be framed.
    func framing(of response: Response) -> ResponseFraming {
        if isHead || !Self.mayHaveBody(response.status) || Self.hasEmptyBody(response.status) { return .none }
        switch response.body {
        case .empty, .bytes, .file, .stream(length: .some, _): return .length
        case .stream(length: nil, _): return isHTTP10 ? .untilClose : .chunked
        }
    }

    /// Appends the head, and the body where all of it is there.
    func write(_ response: Response, into output: inout [UInt8]) {
        if response.status.code == 200 {
            output.append("HTTP/1.1 200 OK\r\n")
        } else {
            output.append("HTTP/1.1 ")
            output.append(decimal: response.status.code)
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: response.status.reasonPhrase.utf8)
            output.append("\r\n")
        }
        output.append(contentsOf: dateLine)
        writeFraming(of: response, into: &output)
        for field in response.headers where !Self.isOwn(field.name) {
            output.append(contentsOf: field.name.rawName.utf8)
            output.append(": ")
            // The bytes as they are: making a string of them first costs three times as many instructions.
            unsafe field.withUnsafeBytesOfValue { unsafe output.append(contentsOf: $0) }
            output.append("\r\n")
        }
        output.append("\r\n")
        if case .bytes(let bytes) = response.body, framing(of: response) == .length {
            output.append(contentsOf: bytes)
        }
    }

    private func writeFraming(of response: Response, into output: inout [UInt8]) {
        if Self.hasEmptyBody(response.status) {
            Self.writeLength(0, into: &output)
        } else if Self.mayHaveBody(response.status) {
            switch response.body {
            case .empty: Self.writeLength(0, into: &output)
            case .bytes(let bytes): Self.writeLength(bytes.count, into: &output)
            case .file(let slice): Self.writeLength(slice.count, into: &output)
            case .stream(length: let length?, _): Self.writeLength(length, into: &output)
            case .stream(length: nil, _):
                if !isHTTP10 { output.append("Transfer-Encoding: chunked\r\n") }
            }
        }
        if !isPersistent {
            output.append("Connection: close\r\n")
        } else if isHTTP10 {
            output.append("Connection: keep-alive\r\n")
        }
    }

    private static func writeLength(_ length: Int, into output: inout [UInt8]) {
        output.append("Content-Length: ")
        output.append(decimal: length)
        output.append("\r\n")
    }

    /// Appends one piece of a streamed body.
    static func write(_ bytes: [UInt8], _ framing: ResponseFraming, into output: inout [UInt8]) {
        guard framing == .chunked else {
            output.append(contentsOf: bytes)
            return
        }
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

    /// The fields that only the server may write.
    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        // The length tells most names apart before a byte is compared.
        return switch name.utf8.count {
        case 4: name == "date"
        case 10: name == "connection"
        case 14: name == "content-length"
        case 17: name == "transfer-encoding"
        default: false
        }
    }
}
