extension SchemaFormat {
    /// RFC 5321, section 4.1.2, and RFC 6531 for other letters.
    static func isEmail(_ bytes: Bytes, ascii: Bool) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), !ascii || bytes.allSatisfy({ $0 < 0x80 }) else {
            return false
        }
        let (local, domain) = (bytes[..<at], bytes[(at + 1)...])
        if local.first == UInt8(ascii: "\""), local.count > 2, local.last == UInt8(ascii: "\"") {
            // Quoted: anything but controls, and quotes only behind a backslash.
            let inner = local.dropFirst().dropLast()
            guard inner.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") }) else { return false }
        } else {
            let words = local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let allowed = words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        $0 >= 0x80 || $0.isLetter || $0.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
                    }
            }
            guard allowed else { return false }
        }
        if domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") {
            let address = domain.dropFirst().dropLast()
            return address.starts(with: "IPv6:".utf8) ? isIPv6(address.dropFirst(5)) : isIPv4(address)
        }
        return ascii ? isHostname(domain) : !domain.isEmpty && !domain.contains(0x20)
    }

    /// RFC 1123, section 2.1.
    static func isHostname(_ bytes: Bytes) -> Bool {
        guard (1...253).contains(bytes.count) else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
                && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                // Only Punycode has two hyphens in the third and fourth place.
                && (!label.dropFirst(2).starts(with: "--".utf8) || label.starts(with: "xn--".utf8) && label.count > 4)
        }
    }

    /// RFC 2673, section 3.2.
    static func isIPv4(_ bytes: Bytes) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && UInt8(String(decoding: part, as: UTF8.self)) != nil
            }
    }

    /// RFC 4291, section 2.2.
    static func isIPv6(_ bytes: Bytes) -> Bool {
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        var count = 0
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups[groups.count - 1] = ArraySlice("0".utf8)
            count += 1
        }
        // Two colons leave an empty group; at either end, two of them.
        if groups.first?.isEmpty == true {
            guard groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if groups.last?.isEmpty == true {
            guard groups[groups.count - 2].isEmpty else { return false }
            groups.removeLast()
        }
        let gaps = groups.count { $0.isEmpty }
        guard gaps <= 1, groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHex) }) else { return false }
        count += groups.count - gaps
        return gaps == 1 ? count <= 7 : count == 8
    }

    /// RFC 3986, and RFC 3987 for other letters.
    static func isURI(_ text: String, absolute: Bool, ascii: Bool) -> Bool {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard bytes.count >= 2, bytes.prefix(2).allSatisfy(\.isHex) else { return false }
            } else if byte >= 0x80 {
                guard !ascii else { return false }
            } else {
                guard byte.isLetter || byte.isDigit || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) else {
                    return false
                }
            }
        }
        let parts = SchemaReference(text)
        guard !absolute || parts.scheme != nil else { return false }
        guard !parts.path.contains(where: { $0 == "[" || $0 == "]" }), !(parts.fragment ?? "").contains("#") else {
            return false
        }
        if parts.scheme == nil, parts.authority == nil {
            // The first part of a relative path would be taken for a scheme.
            guard !parts.path.prefix(while: { $0 != "/" }).contains(":") else { return false }
        }
        return parts.authority.map(isAuthority) ?? true
    }

    private static func isAuthority(_ text: String) -> Bool {
        var host = Array(text.utf8)[...]
        if let at = host.lastIndex(of: UInt8(ascii: "@")) {
            guard !host[..<at].contains(where: { "[]@".utf8.contains($0) }) else { return false }
            host = host[(at + 1)...]
        }
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = host[(host.startIndex + 1)..<end]
            guard isIPv6(address) || address.first == UInt8(ascii: "v") else { return false }
            host = host[(end + 1)...]
            guard host.isEmpty || host.first == UInt8(ascii: ":") else { return false }
        } else if host.contains(UInt8(ascii: "[")) || host.contains(UInt8(ascii: "]")) {
            return false
        }
        guard host.count(where: { $0 == UInt8(ascii: ":") }) <= 1 else { return false }
        let port = host.lastIndex(of: UInt8(ascii: ":")).map { host[($0 + 1)...] } ?? []
        return port.allSatisfy(\.isDigit)
    }
}
