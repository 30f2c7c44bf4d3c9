internal import HTTPTypes

/// Reads one response from bytes that arrive in any pieces (RFC 9112, sections 4 to 7). A value without I/O.
struct ResponseParser {
    private static let start = Array("HTTP/1.".utf8)
    /// The maximum number of interim responses that are skipped.
    private static let mostInterim = 10_000

    private let bounds: ClientBounds
    private let isHead: Bool
    private let accepting: String?
    /// The bytes that don't belong to a head yet.
    private var pending: [UInt8] = []
    private var searched = 0
    /// Whether the server has asked for the body, by a 100.
    private(set) var isContinued = false
    private var head: ResponseHead?
    /// Whether the response has no body, regardless of its fields.
    private var hasNoBody = false
    /// Finds the body's bytes; nil if the body ends with the connection.
    private var decoder: BodyDecoder?
    /// The received bytes of the body that haven't been taken.
    private(set) var body: [UInt8] = []
    /// The number of received bytes of the body.
    private(set) var bodyCount = 0
    /// Whether the response is complete.
    private(set) var isFinished = false
    /// Whether bytes came after the end of the response.
    private(set) var hasExcess = false
    private var interimCount = 0

    /// Creates a parser for the response to one request.
    ///
    /// - Parameter accepting: the `Sec-WebSocket-Accept` with which 101 is a response, with a body that ends with the connection.
    init(bounds: ClientBounds, isHead: Bool, accepting: String? = nil) {
        self.bounds = bounds
        self.isHead = isHead
        self.accepting = accepting
    }

    /// The status and the header fields; nil while the head isn't whole.
    var response: (status: HTTPResponse.Status, fields: FieldList)? { head.map { ($0.status, $0.fields) } }

    /// Whether another response may follow on the connection (RFC 9112, section 9.3), once this one is complete.
    var isPersistent: Bool {
        isFinished && !hasExcess && !isUntilClose && head?.isPersistent ?? false
    }

    /// Whether the body ends with the connection.
    private var isUntilClose: Bool { head != nil && decoder == nil && !hasNoBody }

    /// Removes and returns the received bytes of the body.
    mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// Reads bytes. It drops those after the end of the response.
    mutating func feed(_ bytes: Span<UInt8>) throws(ClientConnectionError) {
        if head != nil { return try feedBody(bytes) }
        pending.append(copying: bytes)
        try readHeads()
    }

    /// The connection has ended.
    mutating func end() throws(ClientConnectionError) {
        if isUntilClose { isFinished = true }
        guard !isFinished else { return }
        throw .cutShort(bodyBytes: head == nil ? nil : bodyCount)
    }

    // MARK: The head

    private mutating func readHeads() throws(ClientConnectionError) {
        try checkStart()
        while let end = headEnd() {
            guard end <= bounds.head else { throw .headTooLarge(limit: bounds.head) }
            let bytes = pending
            let head = try ResponseHead(bytes.span.extracting(..<end))
            searched = 0
            if let accepting, head.status.code == 101, head.fields["sec-websocket-accept"] != accepting {
                throw .malformed("its Sec-WebSocket-Accept is not that of the request's Sec-WebSocket-Key")
            }
            if head.status.kind != .informational || accepting != nil && head.status.code == 101 {
                pending = []
                self.head = head
                try chooseFraming(head)
                return try feedBody(bytes.span.extracting(end...))
            }
            pending = Array(bytes[end...])
            interimCount += 1
            guard interimCount <= Self.mostInterim else { throw .malformed("its interim responses never end") }
            guard head.status.code != 101 else { throw .malformed("it changes to a protocol that nobody asked for") }
            // A client doesn't need other interim responses (RFC 9110, section 15.2).
            if head.status.code == 100 { isContinued = true }
            try checkStart()
        }
        guard pending.count <= bounds.head else { throw .headTooLarge(limit: bounds.head) }
    }

    /// Refuses bytes at once if they can't become a status line: their end might never come.
    private func checkStart() throws(ClientConnectionError) {
        let bytes = pending
        for index in 0..<min(bytes.count, Self.start.count) where bytes[index] != Self.start[index] {
            throw .malformed("it doesn't begin as HTTP/1.1 does: \(ResponseHead.excerpt(0..<bytes.count, bytes.span))")
        }
    }

    /// The index after the empty line that ends a head.
    private mutating func headEnd() -> Int? {
        let pending = pending
        let bytes = pending.span
        var index = bytes.firstForbiddenControl(from: max(searched, 1))
        while index < bytes.count {
            if bytes[index] == ASCII.lineFeed {
                let before = bytes[index - 1]
                if before == ASCII.lineFeed { return index + 1 }
                if before == ASCII.carriageReturn, index >= 2, bytes[index - 2] == ASCII.lineFeed { return index + 1 }
            }
            index = bytes.firstForbiddenControl(from: index + 1)
        }
        searched = pending.count
        return nil
    }

    /// Decides how the body ends (RFC 9112, section 6.3).
    private mutating func chooseFraming(_ head: ResponseHead) throws(ClientConnectionError) {
        hasNoBody = isHead || head.status.code == 204 || head.status.code == 304
        if hasNoBody {
            isFinished = true
            // A proxy passes the length on, so it must be one that others understand.
            if head.fields.contains("content-length") { _ = try length(head) }
            return
        }
        guard head.hasFraming, head.status.code != 101 else { return }
        if head.plainLength == nil, let coding = head.fields["transfer-encoding"] {
            guard coding.lowercased() == "chunked" else {
                throw .malformed("its transfer coding is unknown: \(coding.prefix(60))")
            }
            decoder = .chunked(ChunkedDecoder(limits: ServerConfiguration.Limits()))
            return
        }
        let plain = head.plainLength
        if let length = plain == nil ? try length(head) : plain {
            guard length <= bounds.body else { throw .bodyTooLarge(limit: bounds.body) }
            decoder = .length(remaining: length)
            isFinished = length == 0
        }
    }

    /// The length stated in a head, in bytes; nil without one.
    private func length(_ head: ResponseHead) throws(ClientConnectionError) -> Int? {
        let lengths = Set(head.fields["content-length"]?.split(separator: ",").map { String($0.trimmed) } ?? [])
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1 else {
            throw .malformed("its Content-Lengths differ: \(lengths.sorted().joined(separator: ", ").prefix(60))")
        }
        guard text.utf8.allSatisfy(ASCII.isDigit), let length = Int(text) else {
            throw .malformed("its Content-Length is not a number, or is too large: \(text.prefix(60))")
        }
        return length
    }

    // MARK: The body

    private mutating func feedBody(_ bytes: Span<UInt8>) throws(ClientConnectionError) {
        guard !isFinished else { return hasExcess = hasExcess || bytes.count > 0 }
        let before = body.count
        var position = 0
        if var decoder {
            do throws(RequestError) {
                while let data = try decoder.next(bytes, from: &position) {
                    body.append(copying: bytes.extracting(data))
                }
            } catch {
                if case .malformed(let what) = error { throw .malformed(what) }
                throw .malformed(error.reason)
            }
            isFinished = decoder.isFinished
            hasExcess = isFinished && position < bytes.count
            self.decoder = decoder
        } else {
            body.append(copying: bytes)
        }
        bodyCount += body.count - before
        guard bodyCount <= bounds.body else { throw .bodyTooLarge(limit: bounds.body) }
    }
}
