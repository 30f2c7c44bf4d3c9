/// Collects, field line by field line, what decides where a message ends and whether its connection stays open.
struct FramingFields {
    private var contentLength: Int?
    private var hasTransferEncoding = false
    private(set) var hosts = 0
    private(set) var expectsContinue = false
    private var options = ConnectionOptions()

    /// Takes in one field line.
    ///
    /// - Throws: `RequestError` for values that could make two readers disagree on where the message ends.
    mutating func note(_ field: FieldRange, in head: Span<UInt8>) throws(RequestError) {
        // The length tells most fields apart before any byte is compared.
        switch field.name.count {
        case 4 where head.equals(field.name, ignoringCase: "host"):
            try Authority.check(field.value, in: head)
            hosts += 1
            if hosts > 1 { throw .malformed("more than one Host field") }
        case 6 where head.equals(field.name, ignoringCase: "expect"):
            // Two of them form a list, which is an unknown expectation as well.
            guard !expectsContinue, head.equals(field.value, ignoringCase: "100-continue") else {
                throw .unknownExpectation
            }
            expectsContinue = true
        case 10 where head.equals(field.name, ignoringCase: "connection"):
            options.note(field.value, in: head)
        case 14 where head.equals(field.name, ignoringCase: "content-length"):
            if contentLength != nil { throw .malformed("more than one Content-Length field") }
            contentLength = try Self.contentLength(field.value, in: head)
        case 17 where head.equals(field.name, ignoringCase: "transfer-encoding"):
            if hasTransferEncoding { throw .malformed("more than one Transfer-Encoding field") }
            try Self.checkTransferEncoding(field.value, in: head)
            hasTransferEncoding = true
        default: break
        }
    }

    /// Decides how the body ends.
    func framing(isHTTP10: Bool) throws(RequestError) -> BodyFraming {
        if hasTransferEncoding {
            // RFC 9112, section 6.1: both are signs of an attempt at request smuggling.
            if contentLength != nil { throw .malformed("both Content-Length and Transfer-Encoding") }
            if isHTTP10 { throw .malformed("Transfer-Encoding in an HTTP/1.0 request") }
            return .chunked
        }
        return contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
    }

    /// Whether another request may follow on the connection (RFC 9112, section 9.3).
    func isPersistent(isHTTP10: Bool) -> Bool { options.isPersistent(isHTTP10: isHTTP10) }

    /// Reads digits only, and few enough to fit into an Int (RFC 9110, section 8.6).
    private static func contentLength(_ value: Range<Int>, in head: Span<UInt8>) throws(RequestError) -> Int {
        guard !value.isEmpty else { throw .malformed("an empty Content-Length") }
        guard let length = head.decimal(value) else {
            throw .malformed(
                value.allSatisfy { ASCII.isDigit(head[$0]) }
                    ? "a Content-Length that is too large" : "a Content-Length that is not a plain decimal number"
            )
        }
        return length
    }

    private static func checkTransferEncoding(_ value: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        if head.equals(value, ignoringCase: "chunked") { return }
        var codings = 0
        var chunked = 0
        var isLastChunked = false
        var isWellFormed = true
        forEachListElement(of: value, in: head) { element in
            codings += 1
            isLastChunked = head.equals(element, ignoringCase: "chunked")
            if isLastChunked { chunked += 1 }
            if element.isEmpty || !element.allSatisfy({ ByteSet.token.contains(head[$0]) }) { isWellFormed = false }
        }
        // An unknown coding before a final chunked: the end of the message is known, but its body can't be read.
        guard isWellFormed, codings > 1, chunked == 1, isLastChunked else {
            throw .malformed("a Transfer-Encoding that doesn't end in one chunked")
        }
        throw .unknownTransferCoding
    }
}

/// The options in a `Connection` field that decide whether the connection stays open (RFC 9112, section 9.3).
struct ConnectionOptions {
    private var closes = false
    private var keepsAlive = false

    mutating func note(_ value: Range<Int>, in head: Span<UInt8>) {
        forEachListElement(of: value, in: head) { element in
            if head.equals(element, ignoringCase: "close") { closes = true }
            if head.equals(element, ignoringCase: "keep-alive") { keepsAlive = true }
        }
    }

    /// Whether another exchange may follow on the connection.
    func isPersistent(isHTTP10: Bool) -> Bool { !closes && (!isHTTP10 || keepsAlive) }
}

/// Calls `body` with each element of a comma-separated list, without the blanks around it (RFC 9110, section 5.6.1).
func forEachListElement(of value: Range<Int>, in head: Span<UInt8>, _ body: (Range<Int>) -> Void) {
    var start = value.lowerBound
    for index in value where head[index] == ASCII.comma {
        body(head.trimmed(start..<index))
        start = index + 1
    }
    body(head.trimmed(start..<value.upperBound))
}

/// The way a request marks the end of its body (RFC 9112, section 6).
enum BodyFraming: Equatable, Sendable {
    /// The request has no body.
    case none
    /// This many bytes follow.
    case length(Int)
    /// Chunks follow; the last one is empty.
    case chunked
}
