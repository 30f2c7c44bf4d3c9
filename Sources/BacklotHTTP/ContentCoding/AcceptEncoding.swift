/// The codings that a client would like an answer in (RFC 9110, section 12.5.3).
package struct AcceptEncoding: Equatable, Sendable {
    /// The weight of a coding, in thousandths; nil if the field doesn't mention it. Of two mentions, the first counts.
    private(set) var gzip: Int?
    private(set) var deflate: Int?
    private(set) var identity: Int?
    /// The weight of `*`, for all codings that the field doesn't mention.
    private(set) var others: Int?

    /// Reads the field's value, without members that are malformed and codings that are not understood.
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

    /// `q=` and a number from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2), in thousandths.
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

    /// Chooses the coding to answer in; nil to leave the body as the handler made it.
    ///
    /// The highest weight wins. Of equal weights, gzip comes before deflate, which clients interpret differently, and
    /// either comes before no coding. The result is also nil if the client accepts no known coding and refuses
    /// `identity` too: for such a client an unreadable answer is no worse than a 406, and the handler may have acted
    /// already.
    package var preferred: ContentCoding? {
        let gzip = gzip ?? others ?? 0
        let deflate = deflate ?? others ?? 0
        let identity = identity ?? others ?? 0
        guard max(gzip, deflate) > 0, max(gzip, deflate) >= identity else { return nil }
        return gzip >= deflate ? .gzip : .deflate
    }
}

extension AcceptEncoding {
    /// Whether to send the gzip variant of a body that exists with and without gzip: the client accepts gzip, and
    /// doesn't prefer `identity`.
    package var prefersGzip: Bool {
        let gzip = gzip ?? others ?? 0
        return gzip > 0 && gzip >= identity ?? others ?? 0
    }
}
