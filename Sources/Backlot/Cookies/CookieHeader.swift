/// Reads `Cookie` header fields (RFC 6265bis, section 5.7) tolerantly. It splits pairs at semicolons, ignores spaces and tabs
/// around names and values, and skips anything but pairs.
///
/// Quotes belong to the value (section 4.1.1), and `$Version` is a cookie like any other. A reader with other rules could be led to
/// another session.
package enum CookieHeader {
    /// Calls `body` with the store keys of the ids in the cookies named `session`: in their order, each once, and at most as many
    /// as a request may look up.
    ///
    /// Values without the form of an id don't count: another app on the host may use a cookie of that name.
    static func forEachSessionKey(in headers: RequestHeaders, _ body: (SessionHash) -> Void) {
        var first: SessionHash?
        var others: [SessionHash] = []
        headers.forEachValue(of: "cookie") { header in
            forEachPair(in: header) { name, value in
                guard header.extracting(name).isEqual(to: "session"), SessionID.canBe(header.extracting(value)),
                    others.count < SessionChoice.maximum - 1
                else { return }
                let key = SessionHash(hashing: header.extracting(value))
                if first == nil {
                    first = key
                } else {
                    guard first != key, !others.contains(key) else { return }
                    others.append(key)
                }
                body(key)
            }
        }
    }

    /// The values of all cookies with a name, which is case-sensitive.
    static func values(named name: String, in header: String) -> [String] {
        let header = header.utf8.span
        let name = name.utf8.span
        var values: [String] = []
        forEachPair(in: header) { if header.equals($0, name) { values.append(header.string($1)) } }
        return values
    }

    /// The cookies, in their order.
    package static func pairs(in header: String) -> [NamedValue] {
        let header = header.utf8.span
        var pairs: [NamedValue] = []
        forEachPair(in: header) { pairs.append(NamedValue(name: header.string($0), value: header.string($1))) }
        return pairs
    }

    /// Calls `body` with the ranges of each cookie's name and value.
    @inline(__always)
    private static func forEachPair(in header: Span<UInt8>, _ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        var start = 0
        while start < header.count {
            let end = header.firstIndex(of: UInt8(ascii: ";"), in: start..<header.count)
            let equals = header.firstIndex(of: UInt8(ascii: "="), in: start..<end)
            if equals < end { body(header.trimmed(start..<equals), header.trimmed((equals + 1)..<end)) }
            start = end + 1
        }
    }

    /// A value without the quotes around it.
    package static func unquoted(_ value: some StringProtocol) -> String {
        guard value.utf8.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") else { return String(value) }
        return String(value.dropFirst().dropLast())
    }
}

extension Span where Element == UInt8 {
    /// The first index of a byte in a range; the range's end if the byte is missing.
    @inline(__always)
    fileprivate func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != byte { index += 1 }
        return index
    }

    /// Whether the value has the bytes of a text.
    @inline(__always)
    fileprivate func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices where unsafe self[index] != text.utf8Start[index] { return false }
        return true
    }
}

extension Request {
    /// The client's cookies, in their order. Quotes around a value belong to it (RFC 6265bis, section 4.1.1).
    public var cookies: [NamedValue] { headers[values: .cookie].flatMap { CookieHeader.pairs(in: $0) } }

    /// The value of the cookie with that name; nil if it is missing. Of several, the first counts: it has the longest path.
    ///
    /// ```swift
    /// router.get("/theme") { request in request.cookie("theme") ?? "light" }
    /// ```
    public func cookie(_ name: String) -> String? { cookies(named: name).first }

    /// The value of a cookie as a type that can be read from text: a number, an enumeration, a date.
    ///
    /// - Returns: nil if the cookie is missing or isn't of that type: browsers keep cookies of old releases.
    public func cookie<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        cookie(name).flatMap { try? InputDecoder.decode(type, fromText: $0) }
    }

    /// The values of the cookies with a name.
    package func cookies(named name: String) -> [String] {
        headers[values: .cookie].flatMap { CookieHeader.values(named: name, in: $0) }
    }
}
