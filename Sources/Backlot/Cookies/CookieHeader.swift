public import BacklotHTTP
internal import HTTPTypes

/// Reads `Cookie` header fields (RFC 6265bis, section 5.7), as tolerantly as they come: pairs are split at semicolons,
/// spaces and tabs around names and values don't count, and anything but a pair is skipped. Quotes are a part of the value
/// (section 4.1.1), and `$Version` is a cookie as any other: a reader that took them for more could be led to another session.
package enum CookieHeader {
    /// The ids in the cookies named `session`, in the order they were sent, each once; at most as many as are looked
    /// up.
    ///
    /// Values that no id looks like are not counted: another app on the host may have a cookie of that name.
    static func sessionIDs(in headers: RequestHeaders) -> [SessionID] {
        var ids: [SessionID] = []
        for header in headers[values: .cookie] {
            for value in values(named: SessionCookie.name, in: header) {
                guard let id = SessionID(value), !ids.contains(where: { $0.text == id.text }) else { continue }
                ids.append(id)
                if ids.count == SessionChoice.maximum { return ids }
            }
        }
        return ids
    }

    /// The values of all cookies with that name, which is case-sensitive.
    static func values(named name: String, in header: String) -> [Substring] {
        split(header).compactMap { $0.name.elementsEqual(name.utf8) ? Substring($0.value) : nil }
    }

    /// The cookies, in their order.
    package static func pairs(in header: String) -> [NamedValue] {
        split(header).map { NamedValue(name: String(Substring($0.name)), value: String(Substring($0.value))) }
    }

    private static func split(
        _ header: String
    ) -> some Sequence<(name: Substring.UTF8View, value: Substring.UTF8View)> {
        header.utf8.split(separator: UInt8(ascii: ";")).lazy.compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (trimmed(pair[..<equals]), trimmed(pair[pair.index(after: equals)...]))
        }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, isBlank(first) { text.removeFirst() }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    /// A value without the quotes around it, for readers that take them for a sender's habit.
    package static func unquoted(_ value: some StringProtocol) -> String {
        guard value.utf8.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") else { return String(value) }
        return String(value.dropFirst().dropLast())
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension Request {
    /// The cookies that the client has sent, in their order. Quotes around a value are a part of it (RFC 6265bis, section
    /// 4.1.1).
    public var cookies: [NamedValue] { headers[values: .cookie].flatMap { CookieHeader.pairs(in: $0) } }

    /// The value of the cookie with that name, of several the first, which has the longest path; nil where it is
    /// missing.
    public func cookie(_ name: String) -> String? { cookies(named: name).first }

    /// The value of a cookie as a type that is made of text: a number, an enumeration, a date.
    ///
    /// - Returns: nil where the cookie is missing, and where it isn't one of that type: browsers keep cookies of old
    ///   releases.
    public func cookie<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        cookie(name).flatMap { try? InputDecoder.decode(type, fromText: $0) }
    }

    /// The values of the cookies with a name.
    package func cookies(named name: String) -> [String] {
        headers[values: .cookie].flatMap { CookieHeader.values(named: name, in: $0) }.map(String.init)
    }
}
