internal import HTTPTypes

/// The header list of a request, as HTTP/2 sends it (RFC 9113, section 8.3.1): names and values stand one after the other in
/// `bytes`, and `ends` says where each ends.
struct HTTP2RequestHead {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    init(_ request: OutgoingRequest, scheme: String) {
        add(":method", request.method.rawValue)
        add(":scheme", scheme)
        add(":authority", request.authority)
        add(":path", request.target)
        let source = request.headers.bytes
        let fields = source.span
        for index in 0..<request.headers.count {
            let (name, value) = request.headers[index]
            if OutgoingRequest.isOwn(name, in: fields) || Self.isAboutConnection(name, in: fields) { continue }
            for position in name { bytes.append(ASCII.lowercased(fields[position])) }
            ends.append(bytes.count)
            bytes.append(copying: fields.extracting(value))
            ends.append(bytes.count)
        }
        if let via = request.via { add("via", via) }
        if let length = request.declaredLength { add("content-length", "\(length)") }
        if request.waitsForContinue, request.hasBody { add("expect", "100-continue") }
    }

    private mutating func add(_ name: StaticString, _ value: String) {
        bytes.append(name)
        ends.append(bytes.count)
        bytes.append(contentsOf: value.utf8)
        ends.append(bytes.count)
    }

    /// The fields of HTTP/1's connections, which must not be sent (RFC 9113, section 8.2.2).
    private static func isAboutConnection(_ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: bytes.equals(name, ignoringCase: "te")
        case 7: bytes.equals(name, ignoringCase: "upgrade")
        case 10: bytes.equals(name, ignoringCase: "connection") || bytes.equals(name, ignoringCase: "keep-alive")
        case 14: bytes.equals(name, ignoringCase: "http2-settings")
        case 16: bytes.equals(name, ignoringCase: "proxy-connection")
        default: false
        }
    }
}
