internal import HTTPTypes

extension Request {
    /// The address of the client itself, according to the trusted proxies: from `Forwarded` (RFC 7239) or `X-Forwarded-For`. An address
    /// that the PROXY protocol has named is the client's, whatever the fields say.
    ///
    /// A client can write these fields too. So they are read from the end, where the nearest proxy has added its entry, as long
    /// as each address belongs to a trusted proxy. The first other address is the client's. Its port is 0 if the field has no
    /// port.
    ///
    /// - Returns: `remoteAddress` when it doesn't belong to a trusted proxy, and when the two fields name different clients: most proxies
    ///   write one of them, and pass the other on as the client has sent it. The last readable address when an entry is malformed or
    ///   hidden.
    public func clientAddress(trusting proxies: [AddressRange]) -> SocketAddress {
        guard proxies.contain(remoteAddress), sender == nil else { return remoteAddress }
        let named = hops.map { hops in
            var address = remoteAddress
            for text in hops.reversed() {
                guard let hop = ForwardedNode.address(in: text) else { return address }
                address = hop
                guard proxies.contain(hop) else { break }
            }
            return address
        }
        guard let first = named.first, named.allSatisfy({ $0.octets == first.octets }) else { return remoteAddress }
        return first
    }

    /// The address of the client itself, according to the server's trusted proxies (`ServerConfiguration.trustedProxies`).
    public var clientAddress: SocketAddress { clientAddress(trusting: trustedProxies) }

    /// Whether a field names the client of a proxy, and nothing else does.
    var namesClient: Bool { sender == nil && !hops.isEmpty }

    /// For each field that names clients, the address of each hop in the notation of the fields, the nearest last.
    private var hops: [[String]] {
        var fields: [[String]] = []
        if let field = HTTPField.Name.forwarded.flatMap({ headers[$0] }) {
            fields.append((ForwardedElement.all(in: field) ?? []).map { $0["for"] ?? "" })
        }
        if let field = HTTPField.Name.forwardedFor.flatMap({ headers[$0] }), !field.isEmpty {
            let hops = field.utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false)
            fields.append(hops.map { String(Substring($0).trimmed) })
        }
        return fields
    }
}

extension [AddressRange] {
    /// Whether one of the ranges contains the address.
    package func contain(_ address: SocketAddress) -> Bool {
        contains { $0.contains(address) }
    }
}

extension Request {
    /// The facts that the PROXY protocol, or the host of the handler, has stated about the connection.
    private var statement: ProxyHeader.Statement.Value? {
        attributes.isEmpty ? nil : attributes[ProxyHeader.Statement.self]
    }

    /// The proxy that has named the client with the PROXY protocol; nil without one.
    private var sender: SocketAddress? { statement?.proxy }

    /// Whether the other end of the socket is among some proxies. Most servers trust none, and need no look at the attributes.
    private func comes(from proxies: [AddressRange]) -> Bool {
        !proxies.isEmpty && proxies.contain(sender ?? remoteAddress)
    }

    /// Whether the request came over an encrypted connection: to this server, to a proxy that says so with the PROXY protocol, or to the
    /// server that hosts the handler.
    private var cameEncrypted: Bool { tls != nil || statement?.isEncrypted ?? false }

    /// Whether the connection comes from a proxy that the server trusts.
    package var isFromTrustedProxy: Bool { comes(from: trustedProxies) }

    /// Whether the fields that name the client are believed.
    package var believesClientFields: Bool { isFromTrustedProxy && sender == nil }
}

extension HTTPField.Name {
    fileprivate static let forwarded = HTTPField.Name("Forwarded")
    fileprivate static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")
}

/// Reads an address in the notation of proxies: `192.0.2.7`, `192.0.2.7:4711`, `[2001:db8::1]:4711` (RFC 7239, section 6), and
/// without brackets, as `X-Forwarded-For` often has it.
enum ForwardedNode {
    /// Returns nil for `unknown`, for names that hide an address, and for malformed text.
    static func address(in text: String) -> SocketAddress? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return address(host: text[...end], port: text[text.index(after: end)...])
        }
        // With two colons or more, it is an IPv6 address, which has no port without brackets.
        guard text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = text.firstIndex(of: ":") else {
            return address(host: text[...], port: "")
        }
        return address(host: text[..<colon], port: text[colon...])
    }

    private static func address(host: Substring, port: Substring) -> SocketAddress? {
        guard port.isEmpty || port.first == ":" else { return nil }
        let digits = port.dropFirst()
        guard host != "localhost", digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        let number = digits.isEmpty ? 0 : UInt16(digits)
        return number.flatMap { SocketAddress(host: String(host), port: $0)?.unmapped }
    }
}

extension Request {
    /// Whether the request came over HTTP/1.0: modern clients don't speak it, but some proxies do by default.
    package var isHTTP10: Bool { head.line.isHTTP10 }

    /// The name of the first field that only proxies add, as sent; nil without such a field.
    ///
    /// These are `Via` and `Forwarded` (RFC 9110, section 7.6.3; RFC 7239), `X-Real-IP`, and all names that begin with
    /// `X-Forwarded-`. Cheap enough to compute for each request.
    package var proxyField: String? {
        guard
            head.fields.mayHaveName(beginningWith: UInt8(ascii: "x"))
                || head.fields.mayHaveName(beginningWith: UInt8(ascii: "f"))
                || head.fields.mayHaveName(beginningWith: UInt8(ascii: "v"))
        else { return nil }
        let bytes = head.bytes
        let span = bytes.span
        return head.firstField { span.isProxyField($0.name) }.map { head.string(head.fields[$0].name) }
    }
}

extension Span where Element == UInt8 {
    fileprivate func isProxyField(_ name: Range<Int>) -> Bool {
        switch name.count {
        case 3: equals(name, ignoringCase: "via")
        case 9: equals(name, ignoringCase: "forwarded") || equals(name, ignoringCase: "x-real-ip")
        case 12...: equals(name.lowerBound..<(name.lowerBound + 12), ignoringCase: "x-forwarded-")
        default: false
        }
    }
}

extension Request {
    /// Whether the client's connection is encrypted. Without a trusted proxy, that is a connection over TLS. A trusted proxy says
    /// so in `X-Forwarded-Proto` or in `Forwarded` (RFC 7239); if it doesn't, its own connection counts.
    ///
    /// Anybody can write these fields, so they count only from trusted proxies. Only the last of several values counts, because
    /// the nearest proxy has added it. If both fields are present, both must say so.
    ///
    /// - Parameter proxies: the proxies that are trusted besides the server's (`ServerConfiguration.trustedProxies`).
    public func isSecure(trusting proxies: [AddressRange]) -> Bool {
        guard comes(from: trustedProxies) || comes(from: proxies) else { return cameEncrypted }
        let named = HTTPField.Name.forwardedProto.flatMap { headers[$0] }.map(Self.lastValue)
        let standard = HTTPField.Name.forwarded.flatMap { headers[$0] }.map { Self.lastProtocol(in: $0) ?? "" }
        let values = [named, standard].compactMap(\.self)
        // Traefik names the scheme of a WebSocket.
        return values.isEmpty ? cameEncrypted : values.allSatisfy { ["https", "wss"].contains($0.lowercased()) }
    }

    /// Whether the client's connection is encrypted, according to the server's trusted proxies
    /// (`ServerConfiguration.trustedProxies`).
    public var isSecure: Bool { isSecure(trusting: []) }

    /// `https` when `isSecure`, else `http`.
    public var scheme: String { scheme(trusting: []) }

    /// `https` when the client's connection is encrypted, else `http`, decided by `isSecure(trusting:)`.
    public func scheme(trusting proxies: [AddressRange]) -> String { isSecure(trusting: proxies) ? "https" : "http" }

    /// The last value of a list.
    private static func lastValue(in list: String) -> String {
        let last = list.utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false).last
        return String((last.map(Substring.init) ?? "").trimmed)
    }

    /// The `proto` parameter of the last element of a `Forwarded` field; nil if it has no such parameter or two, and if the field
    /// is malformed.
    private static func lastProtocol(in field: String) -> String? {
        ForwardedElement.all(in: field)?.last?["proto"]
    }
}

/// One element of a `Forwarded` field: one proxy's information about the request that it passed on (RFC 7239, section 4).
///
/// The field is split at bytes, not at characters. Otherwise a client could end its part in a character that merges with the
/// comma after it, such as U+0600, and so hide the next proxy's element.
package struct ForwardedElement: Equatable, Sendable {
    private let pairs: [(name: String, value: String)]

    /// The elements of a field, the nearest proxy's last; nil if a quote is not closed.
    package static func all(in field: String) -> [ForwardedElement]? {
        split(field[...], at: ASCII.comma)?.map(ForwardedElement.init)
    }

    private init(_ element: Substring) {
        let parts = Self.split(element, at: ASCII.semicolon) ?? []
        pairs = parts.compactMap { part in
            let halves = part.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (String(Substring(halves[0]).trimmed).lowercased(), Self.unquoted(Substring(halves[1]).trimmed))
        }
    }

    package static func == (left: ForwardedElement, right: ForwardedElement) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
    }

    /// A parameter's value; nil if the element has no such parameter or two (section 4 allows one).
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    private static func unquoted(_ value: Substring) -> String {
        let bytes = value.utf8
        let isQuoted = bytes.count >= 2 && bytes.first == quote && bytes.last == quote
        return String(isQuoted ? Substring(bytes.dropFirst().dropLast()) : value)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The parts between separators outside quotes; nil if a quote is not closed.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring]? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }
}
