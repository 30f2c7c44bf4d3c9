internal import BacklotHTTP
internal import HTTPTypes

/// Reads `Cookie` header fields (RFC 6265, section 5.4), as tolerantly as they come: pairs are split at semicolons, blanks
/// around names and values and quotes around values don't count, and what is no pair is skipped.
enum CookieHeader {
    /// The ids in the cookies named `session`, in the order they were sent, each once; at most as many as are looked up.
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
        header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            guard trimmed(pair[..<equals]).elementsEqual(name.utf8) else { return nil }
            return Substring(unquoted(trimmed(pair[pair.index(after: equals)...])))
        }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, isBlank(first) { text.removeFirst() }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text.first == quote, text.last == quote else { return text }
        return text.dropFirst().dropLast()
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension Request {
    /// The values of the cookies with a name.
    package func cookies(named name: String) -> [String] {
        headers[values: .cookie].flatMap { CookieHeader.values(named: name, in: $0) }.map(String.init)
    }
}
