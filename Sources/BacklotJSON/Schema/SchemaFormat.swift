/// The forms of text that `format` names (Validation, section 7.3).
enum SchemaFormat: String, Sendable {
    case dateTime = "date-time"
    case date, time, duration, email, hostname, ipv4, ipv6, uri, iri, uuid, regex
    case idnEmail = "idn-email"
    case uriReference = "uri-reference"
    case iriReference = "iri-reference"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"

    /// As an error names it.
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

    /// A number of exactly so many digits.
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
        // A leap second is the last of a day in UTC.
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
