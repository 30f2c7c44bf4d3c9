package import HTTPTypes

/// A supported content coding (RFC 9110, section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
    /// The gzip format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950). Raw deflate data, which some programs send under this name, is refused.
    case deflate

    /// The coding named by a token of a header field, ignoring letter case; nil for other tokens.
    init?(_ token: Range<Int>, in field: Span<UInt8>) {
        if field.equals(token, ignoringCase: "gzip") || field.equals(token, ignoringCase: "x-gzip") {
            self = .gzip
        } else if field.equals(token, ignoringCase: "deflate") {
            self = .deflate
        } else {
            return nil
        }
    }

    /// All codings, as a list for a header field.
    package static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The codings of a request's body (RFC 9110, section 8.4).
package struct ContentEncoding: Equatable, Sendable {
    /// The codings in the order of decoding, which is the reverse of their order in the field.
    package let codings: [ContentCoding]

    /// The maximum number of codings on top of each other. Clients don't need two, and each coding multiplies the possible
    /// expansion of a few bytes.
    static let most = 2

    /// Reads the field's value. `identity` doesn't count as a coding.
    ///
    /// - Throws: `ContentCodingError` for an unknown coding, or for too many.
    package init(_ value: String) throws(ContentCodingError) {
        let field = value.utf8.span
        var codings: [ContentCoding] = []
        var unknown: String?
        forEachListElement(of: 0..<field.count, in: field) { token in
            if token.isEmpty || field.equals(token, ignoringCase: "identity") { return }
            if let coding = ContentCoding(token, in: field) {
                codings.append(coding)
            } else {
                unknown = unknown ?? field.string(token)
            }
        }
        if let unknown { throw .unknown(unknown) }
        guard codings.count <= Self.most else { throw .tooMany(codings.count) }
        self.codings = codings.reversed()
    }
}

extension ContentEncoding {
    /// Decodes a complete body.
    ///
    /// - Parameter limit: the maximum number of bytes of the decoded body.
    /// - Returns: nil if the decoded body is larger, or if finding out would take too much work.
    /// - Throws: `ContentCodingError` if the body doesn't match its codings.
    package func decode(_ body: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8]? {
        guard !codings.isEmpty else { return body }
        var inflation = try Inflation(codings, ratio: .max)
        inflation.feed(body)
        var decoded: [UInt8] = []
        while inflation.isWorth(limit) {
            switch try inflation.step() {
            case .piece(let piece):
                guard decoded.count + piece.count <= limit else { return nil }
                decoded += piece
            case .working: continue
            case .wantsInput:
                try inflation.finish()
                return decoded
            }
        }
        return nil
    }
}

/// The reason why a request's body could not be decoded. The connection stays open, because the end of the body is still known.
package enum ContentCodingError: HTTPError, Equatable {
    /// An unsupported coding (RFC 9110, section 15.5.16).
    case unknown(String)
    /// More codings on top of each other than the server accepts.
    case tooMany(Int)
    /// The bytes don't match the coding. The text describes the error.
    case malformed(ContentCoding, String)
    /// The body ends in the middle of its compressed data.
    case truncated(ContentCoding)
    /// Decoding makes the body more than `ratio` times as large: it is meant to exhaust the server.
    case expandsTooMuch(ratio: Int)
    /// The system has no memory for the decoder.
    case noMemory

    /// The status of the refusal.
    package var status: HTTPResponse.Status {
        switch self {
        case .unknown, .tooMany: .unsupportedMediaType
        case .malformed, .truncated: .badRequest
        case .expandsTooMuch: .contentTooLarge
        case .noMemory: .serviceUnavailable
        }
    }

    /// One line for the client.
    package var reason: String {
        switch self {
        case .unknown(let name):
            "the content coding '\(name.prefix(40))' is not understood here; understood: \(ContentCoding.list)"
        case .tooMany(let count):
            "\(count) content codings on top of each other; at most \(ContentEncoding.most) are taken"
        case .malformed(let coding, let what): "the body is not \(coding): \(what)"
        case .truncated(let coding): "the body ends before its \(coding) data does"
        case .expandsTooMuch(let ratio): "the body becomes more than \(ratio) times as large when it is decoded"
        case .noMemory: "there is no memory left to decode the body"
        }
    }

    /// The supported codings, if the request used others (RFC 9110, section 12.5.3).
    package var headers: HTTPFields {
        status == .unsupportedMediaType ? [.acceptEncoding: ContentCoding.list] : [:]
    }
}

/// The codings that a client prefers for the response (RFC 9110, section 12.5.3).
package struct AcceptEncoding: Equatable, Sendable {
    /// The weight of a coding, in thousandths; nil if the field doesn't mention it. If the field mentions it twice, the first
    /// counts.
    private(set) var gzip: Int?
    private(set) var deflate: Int?
    private(set) var identity: Int?
    /// The weight of `*`, for all codings that the field doesn't mention.
    private(set) var others: Int?

    /// Reads the field's value, skipping malformed members and unknown codings.
    package init(_ value: String) {
        let field = value.utf8.span
        forEachListElement(of: 0..<field.count, in: field) { read($0, in: field) }
    }

    private mutating func read(_ member: Range<Int>, in field: Span<UInt8>) {
        let semicolon = member.first { field[$0] == ASCII.semicolon }
        let token = field.trimmed(member.lowerBound..<(semicolon ?? member.upperBound))
        var weight = 1000
        if let semicolon {
            guard let given = Self.weight(field.trimmed((semicolon + 1)..<member.upperBound), in: field) else { return }
            weight = given
        }
        if let coding = ContentCoding(token, in: field) {
            switch coding {
            case .gzip: gzip = gzip ?? weight
            case .deflate: deflate = deflate ?? weight
            }
        } else if field.equals(token, ignoringCase: "identity") {
            identity = identity ?? weight
        } else if field.equals(token, "*") {
            others = others ?? weight
        }
    }

    /// Reads `q=` and a number from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2), in thousandths.
    private static func weight(_ parameter: Range<Int>, in field: Span<UInt8>) -> Int? {
        let digits = (parameter.lowerBound + 2)
        guard (3...7).contains(parameter.count), field.equals(parameter.lowerBound..<digits, ignoringCase: "q=") else {
            return nil
        }
        var weight = 0
        for (place, index) in (digits..<parameter.upperBound).enumerated() {
            if place == 1 {
                guard field[index] == UInt8(ascii: ".") else { return nil }
            } else {
                guard ASCII.isDigit(field[index]) else { return nil }
                weight = weight * 10 + Int(field[index] - UInt8(ascii: "0"))
            }
        }
        let decimals = max(0, parameter.count - 4)
        for _ in decimals..<3 { weight *= 10 }
        return weight <= 1000 ? weight : nil
    }

    /// The coding for the response; nil to leave the body unchanged.
    ///
    /// The highest weight wins. With equal weights, gzip comes before deflate, which clients interpret differently, and both come
    /// before no coding. The result is also nil if the client accepts no known coding and refuses `identity` too. For such a
    /// client, an unreadable response is as good as a 406, and the handler may already have acted.
    package var preferred: ContentCoding? {
        let (gzip, deflate, identity) = weights
        guard max(gzip, deflate) > 0, max(gzip, deflate) >= identity else { return nil }
        return gzip >= deflate ? .gzip : .deflate
    }

    /// Whether to send the gzip variant of a body that exists with and without gzip: the client accepts gzip, and
    /// doesn't prefer `identity`.
    package var prefersGzip: Bool {
        weights.gzip > 0 && weights.gzip >= weights.identity
    }

    private var weights: (gzip: Int, deflate: Int, identity: Int) {
        (gzip ?? others ?? 0, deflate ?? others ?? 0, identity ?? others ?? 0)
    }
}
