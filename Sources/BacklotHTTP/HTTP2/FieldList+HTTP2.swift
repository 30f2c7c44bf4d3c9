internal import HTTPTypes

/// Header lists in the form of HTTP/2: the parts of the first line are pseudo-header fields, and names are in lower case (RFC 9113,
/// sections 8.2 and 8.3).
extension FieldList {
    // MARK: Requests

    /// The list of a request (RFC 9113, section 8.3.1).
    init(_ request: OutgoingRequest, scheme: String) {
        self.init()
        append(":method", request.method.rawValue)
        append(":scheme", scheme)
        append(":authority", request.authority)
        append(":path", request.target)
        let source = request.headers.bytes
        let fields = source.span
        for index in 0..<request.headers.count {
            let (name, value) = request.headers[index]
            if OutgoingRequest.isOwn(name, in: fields) || Self.isForbidden(fields.extracting(name)) { continue }
            append(lowercasing: fields.extracting(name), fields.extracting(value))
        }
        if let via = request.via { append("via", via) }
        if let length = request.declaredLength { append("content-length", decimal: length) }
        if request.waitsForContinue, request.hasBody { append("expect", "100-continue") }
    }

    // MARK: Responses

    /// Whether a response has a body on the wire, or could have one (RFC 9110, section 6.4.1).
    static func mayHaveBody(_ response: Response, isHead: Bool) -> Bool {
        !isHead && ResponseEncoder.mayHaveBody(response.status) && !ResponseEncoder.hasEmptyBody(response.status)
    }

    /// The value of `content-length`; nil without one.
    static func length(of response: Response) -> Int? {
        if ResponseEncoder.hasEmptyBody(response.status) { return 0 }
        return ResponseEncoder.mayHaveBody(response.status) ? response.body.length : nil
    }

    /// The fields of a response, except those that only the server may write (RFC 9113, section 8.3.2).
    init(ofResponse response: Response) {
        self.init()
        let keepsDate = response.bringsDate
        if let passed = response.passed {
            let fields = passed.bytes.span
            for index in 0..<passed.count {
                let (name, value) = passed[index]
                append(ofResponse: fields.extracting(name), fields.extracting(value), keepsDate: keepsDate)
            }
        } else {
            append(ofResponse: response.headers, keepsDate: keepsDate)
        }
    }

    /// Adds the fields of a response, except those that only the server may write.
    ///
    /// - Parameter keepsDate: whether `Date` is sent.
    mutating func append(ofResponse fields: HTTPFields, keepsDate: Bool) {
        for field in fields {
            unsafe field.withUnsafeBytesOfValue {
                unsafe append(ofResponse: field.name.rawName.utf8.span, $0.span, keepsDate: keepsDate)
            }
        }
    }

    private mutating func append(ofResponse name: Span<UInt8>, _ value: Span<UInt8>, keepsDate: Bool) {
        if ResponseEncoder.isOwn(name), !(keepsDate && name.count == 4) { return }
        if !Self.isForbidden(name) { append(lowercasing: name, value) }
    }

    /// Whether a field concerns an HTTP/1 connection, and so must not be sent (RFC 9113, section 8.2.2).
    private static func isForbidden(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 2: name.equals(all, ignoringCase: "te")
        case 7: name.equals(all, ignoringCase: "upgrade")
        case 10: name.equals(all, ignoringCase: "connection") || name.equals(all, ignoringCase: "keep-alive")
        case 14: name.equals(all, ignoringCase: "http2-settings")
        case 16: name.equals(all, ignoringCase: "proxy-connection")
        default: false
        }
    }
}
