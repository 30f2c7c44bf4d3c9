/// The forms of text that `format` names (Validation, section 7.3).
enum SchemaFormat: String, Sendable {
    case dateTime = "date-time"
    case date, time, duration, email, hostname, ipv4, ipv6, uri, iri, uuid, regex
    case idnEmail = "idn-email"
    case uriReference = "uri-reference"
    case iriReference = "iri-reference"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"

    /// The format in errors.
    var text: String {
        switch self {
        case .dateTime: "a date and time such as 2026-05-17T12:30:00Z"
        case .date: "a date such as 2026-05-17"
        case .time: "a time such as 12:30:00Z"
        case .duration: "a duration such as P1DT12H"
        case .email, .idnEmail: "an email address"
        case .hostname: "a host name"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .uri, .iri: "an absolute URI"
        case .uriReference, .iriReference: "a URI"
        case .uuid: "a UUID"
        case .regex: "a regular expression"
        case .jsonPointer: "a JSON pointer"
        case .relativeJSONPointer: "a relative JSON pointer"
        }
    }

    func fits(_ text: String, _ patterns: JSONSchema.PatternCompiler) -> Bool {
        let bytes = Array(text.utf8)[...]
        return switch self {
        case .dateTime: Self.isDateTime(bytes)
        case .date: Self.isDate(bytes)
        case .time: Self.isTime(bytes)
        case .duration: Self.isDuration(bytes)
        case .email: Self.isEmail(bytes, ascii: true)
        case .idnEmail: Self.isEmail(bytes, ascii: false)
        case .hostname: Self.isHostname(bytes)
        case .ipv4: Self.isIPv4(bytes)
        case .ipv6: Self.isIPv6(bytes)
        case .uri: Self.isURI(text, absolute: true, ascii: true)
        case .iri: Self.isURI(text, absolute: true, ascii: false)
        case .uriReference: Self.isURI(text, absolute: false, ascii: true)
        case .iriReference: Self.isURI(text, absolute: false, ascii: false)
        case .uuid: bytes.isUUID
        case .regex: (try? patterns(text)) != nil
        case .jsonPointer: Self.isPointer(bytes)
        case .relativeJSONPointer: Self.isRelativePointer(bytes)
        }
    }

    typealias Bytes = ArraySlice<UInt8>

    // MARK: Time (RFC 3339)

    /// A number with exactly so many digits.
    private static func number(_ bytes: inout Bytes, digits: Int) -> Int? {
        guard bytes.count >= digits, bytes.prefix(digits).allSatisfy(\.isDigit) else { return nil }
        defer { bytes = bytes.dropFirst(digits) }
        return Int(String(decoding: bytes.prefix(digits), as: UTF8.self))
    }

    private static func take(_ character: Unicode.Scalar, _ bytes: inout Bytes) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    private static func isDate(_ bytes: Bytes) -> Bool {
        var bytes = bytes
        guard let year = number(&bytes, digits: 4), take("-", &bytes), let month = number(&bytes, digits: 2),
            take("-", &bytes), let day = number(&bytes, digits: 2), bytes.isEmpty, (1...12).contains(month)
        else { return false }
        return (1...GregorianCalendar.days(inMonth: month, of: year)).contains(day)
    }

    private static func isTime(_ bytes: Bytes) -> Bool {
        var bytes = bytes
        guard let hour = number(&bytes, digits: 2), take(":", &bytes), let minute = number(&bytes, digits: 2),
            take(":", &bytes), let second = number(&bytes, digits: 2), hour < 24, minute < 60, second <= 60
        else { return false }
        if take(".", &bytes) {
            let digits = bytes.prefix { $0.isDigit }
            guard !digits.isEmpty else { return false }
            bytes = bytes.dropFirst(digits.count)
        }
        var offset = 0
        if bytes.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") {
            bytes.removeFirst()
        } else {
            let sign = bytes.first == UInt8(ascii: "-") ? -1 : 1
            guard take("+", &bytes) || take("-", &bytes), let hours = number(&bytes, digits: 2), take(":", &bytes),
                let minutes = number(&bytes, digits: 2), hours < 24, minutes < 60
            else { return false }
            offset = sign * (60 * hours + minutes)
        }
        // A leap second is the last second of a day in UTC.
        let minutes = ((60 * hour + minute - offset) % 1440 + 1440) % 1440
        return bytes.isEmpty && (second < 60 || minutes == 1439)
    }

    private static func isDateTime(_ bytes: Bytes) -> Bool {
        guard let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "t") }) else { return false }
        return isDate(bytes[..<mark]) && isTime(bytes[(mark + 1)...])
    }

    /// RFC 3339, appendix A: units in their order, without gaps; weeks alone.
    private static func isDuration(_ bytes: Bytes) -> Bool {
        var bytes = bytes
        guard take("P", &bytes), !bytes.isEmpty else { return false }
        func units(_ names: String) -> Bool {
            var places: [Int] = []
            while let first = bytes.first, first.isDigit {
                bytes = bytes.drop { $0.isDigit }
                guard let name = bytes.popFirst(), let place = Array(names.utf8).firstIndex(of: name) else {
                    return false
                }
                places.append(place)
            }
            return zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 1 }
        }
        if bytes.last == UInt8(ascii: "W") { return units("W") && bytes.isEmpty && !bytes.contains(UInt8(ascii: "T")) }
        guard units("YMD") else { return false }
        if take("T", &bytes) { return !bytes.isEmpty && units("HMS") && bytes.isEmpty }
        return bytes.isEmpty
    }

    // MARK: Pointers (RFC 6901)

    private static func isPointer(_ bytes: Bytes) -> Bool {
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "/") else { return false }
        return bytes.indices.allSatisfy { index in
            guard bytes[index] == UInt8(ascii: "~") else { return true }
            let next = bytes[(index + 1)...].first
            return next == UInt8(ascii: "0") || next == UInt8(ascii: "1")
        }
    }

    private static func isRelativePointer(_ bytes: Bytes) -> Bool {
        let digits = bytes.prefix { $0.isDigit }
        guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
        let rest = bytes.dropFirst(digits.count)
        return rest.elementsEqual("#".utf8) || isPointer(rest)
    }
}

extension SchemaFormat {
    /// RFC 5321, section 4.1.2, and RFC 6531 for other letters.
    static func isEmail(_ bytes: Bytes, ascii: Bool) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), !ascii || bytes.allSatisfy({ $0 < 0x80 }) else {
            return false
        }
        let (local, domain) = (bytes[..<at], bytes[(at + 1)...])
        if local.first == UInt8(ascii: "\""), local.count > 2, local.last == UInt8(ascii: "\"") {
            // Quoted: no control characters, and quotes only after a backslash.
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
            // Otherwise the first part of a relative path would look like a scheme.
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
