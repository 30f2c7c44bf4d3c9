package import HTTPTypes

/// A request sent by a client.
package struct OutgoingRequest: Sendable {
    /// The body of the request.
    package enum Body: Sendable {
        /// Bytes that are complete.
        case bytes([UInt8])
        /// Bytes that are still arriving; the client requests them as the server accepts them. Over HTTP/1.1 they go in chunks unless their
        /// length is declared.
        case stream(RequestBody)
    }

    package var method: HTTPRequest.Method
    /// The path and the query, in their form on the wire.
    package var target: String
    /// The value of `Host`.
    package var authority: String
    /// The header fields. Those in `ownFields` are left out.
    package var headers: FieldList
    /// The value of a `Via` field after the other fields; nil without one.
    var via: String?
    package var body: Body
    /// Whether the body waits until the server asks for it (RFC 9110, section 10.1.1).
    package var waitsForContinue: Bool
    /// Whether the request opens a WebSocket: the body waits for a response of 101, and the body of that response is what the server sends
    /// from then on.
    var opensWebSocket = false

    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        waitsForContinue: Bool = false
    ) {
        self.init(
            method: method,
            target: target,
            authority: authority,
            headers: FieldList(headers),
            body: .bytes(body),
            waitsForContinue: waitsForContinue
        )
    }

    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String,
        headers: FieldList,
        body: Body,
        waitsForContinue: Bool = false
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
        self.waitsForContinue = waitsForContinue
    }

    /// The number of bytes of the body; nil while it is unknown.
    var length: Int? {
        switch body {
        case .bytes(let bytes): bytes.count
        case .stream(let body): body.declaredLength
        }
    }

    /// Whether a body follows the head.
    var hasBody: Bool { length != 0 }

    /// The approximate number of bytes of the request over HTTP/1.1.
    package var bytesOnWire: Int {
        method.rawValue.utf8.count + target.utf8.count + authority.utf8.count + headers.linesCount + 24 + (length ?? 0)
    }

    /// The length to declare; nil to leave it out.
    var declaredLength: Int? {
        // RFC 9110, section 8.6: also for methods that usually have a body.
        guard let length, length > 0 || method == .post || method == .put else { return nil }
        return length
    }

    /// Whether the request may be repeated even if the server may have processed it (RFC 9110, section 9.2.2), and its bytes are all still
    /// there.
    var isRepeatable: Bool {
        guard case .bytes = body else { return false }
        switch method {
        case .get, .head, .options, .put, .delete, .trace: return true
        default: return false
        }
    }

    /// Whether the client derives a field from the request, regardless of `headers`.
    static func isOwn(_ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        switch name.count {
        case 4: bytes.equals(name, ignoringCase: "host")
        case 6: bytes.equals(name, ignoringCase: "expect")
        case 14: bytes.equals(name, ignoringCase: "content-length")
        case 17: bytes.equals(name, ignoringCase: "transfer-encoding")
        default: false
        }
    }

    /// Appends the head in the form of HTTP/1.1.
    func writeHead(into output: inout [UInt8]) {
        let room = method.rawValue.utf8.count + target.utf8.count + authority.utf8.count
        let own = 160 + (via?.utf8.count ?? 0)
        ByteCursor.append(to: &output, room: room + headers.linesCount + own) { head in
            head.put(method.rawValue.utf8.span)
            head.put(ASCII.space)
            head.put(target.utf8.span)
            head.put(" HTTP/1.1\r\nHost: ")
            head.put(authority.utf8.span)
            head.put("\r\n")
            headers.writeLines(to: &head) { Self.isOwn(0..<$0.count, in: $0) }
            if let via {
                head.put("Via: ")
                head.put(via.utf8.span)
                head.put("\r\n")
            }
            if opensWebSocket {
                head.put("Connection: Upgrade\r\nUpgrade: websocket\r\n")
            } else if let declaredLength {
                head.put("Content-Length: ")
                head.put(decimal: declaredLength)
                head.put("\r\n")
            } else if length == nil {
                head.put("Transfer-Encoding: chunked\r\n")
            }
            if waitsForContinue, hasBody { head.put("Expect: 100-continue\r\n") }
            head.put("\r\n")
        }
    }

    /// The head in the form of HTTP/1.1.
    var head: [UInt8] {
        var bytes: [UInt8] = []
        writeHead(into: &bytes)
        return bytes
    }
}

/// A response with a body that a client reads piece by piece.
package struct StreamedResponse: Sendable {
    package var status: HTTPResponse.Status
    /// The header fields, as sent.
    var fields: FieldList
    /// The version of HTTP that the server speaks, in the form of `Via`: `1.1`.
    package var version: StaticString
    /// The body: read it as a sequence of pieces. The connection is cut if nobody reads it to its end. Reading throws
    /// `ClientConnectionError`.
    package var body: RequestBody
    /// Whether the server asked for the body that was held back.
    package var wasContinued = false
    /// The time from the beginning to the first byte of the response.
    package var firstByte: Duration = .zero
    /// Ends the exchange when nobody holds the response any more; nil if the response is complete.
    var lease: Ticket?

    /// The header fields.
    package var headers: HTTPFields { HTTPFields(fields) }

    /// The body if it is complete; nil while it is arriving.
    package var wholeBody: [UInt8]? { body.bytes }

    /// Waits for the whole body.
    ///
    /// - Throws: `ClientConnectionError`.
    package func collect() async throws(ClientConnectionError) -> [UInt8] {
        defer { withExtendedLifetime(lease) {} }
        do {
            return try await body.collect()
        } catch let fault as ClientConnectionError {
            throw fault
        } catch {
            throw .cancelled
        }
    }
}

/// A complete response that a client received.
package struct IncomingResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// Whether the server asked for the body that was held back.
    package var wasContinued = false
    /// The time from the beginning to the first byte of the response.
    package var firstByte: Duration = .zero
    /// The time from the beginning to the last byte.
    package var total: Duration = .zero
}

/// The largest response that a client accepts, and the longest time it waits.
package struct ClientBounds: Sendable {
    /// The largest head, in bytes.
    let head: Int
    /// The largest body, in bytes.
    let body: Int
    /// The longest wait for a name server, for the connection, or for the next bytes, in milliseconds.
    let idle: Int64
    /// The longest time for the whole exchange, in milliseconds.
    let total: Int64
    /// The longest time to hold back a body if the server doesn't react to `Expect: 100-continue`, in milliseconds: the server
    /// may not know that field (RFC 9110, section 10.1.1).
    let continueWait: Int64

    /// - Parameter total: nil if an exchange may take any time, as long as bytes move.
    package init(head: Int, body: Int, idle: Duration, total: Duration?, continueWait: Duration = .seconds(1)) {
        self.head = head
        self.body = body
        self.idle = idle.milliseconds
        self.total = total?.milliseconds ?? Int64.max / 4
        self.continueWait = continueWait.milliseconds
    }
}
