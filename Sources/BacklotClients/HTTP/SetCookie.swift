import BacklotHTTP

/// A `Set-Cookie` field (RFC 6265, section 5.2).
package struct SetCookie {
    package let name: String
    package let value: String
    package private(set) var domain: String?
    package private(set) var path: String?
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false
    /// The text of `Expires`, whether it is a date or not.
    package private(set) var expiresText: String?
    private var maxAge: Int?
    private var expires: Double?

    /// Reads the value of a field; nil where it has no name, and no cookie is set then.
    package init?(_ field: String) {
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
        let pair = parts.removeFirst()
        guard let equals = pair.firstIndex(of: "=") else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty else { return nil }
        for part in parts {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = equals < part.endIndex ? Self.trimmed(part[part.index(after: equals)...]) : ""
            take(Self.trimmed(part[..<equals]).lowercased(), value)
        }
    }

    /// Whether it says by `Max-Age` when it ends.
    package var hasMaxAge: Bool { maxAge != nil }

    /// When the cookie ends, in seconds since 1970; nil for never as long as the app runs. `Max-Age` counts before `Expires`.
    package func expiry(now: Double) -> Double? {
        if let maxAge { return maxAge > 0 ? now + Double(maxAge) : -Double.infinity }
        return expires
    }

    private mutating func take(_ attribute: String, _ value: String) {
        switch attribute {
        case "expires":
            expires = CookieDate.seconds(value) ?? expires
            expiresText = value
        case "max-age":
            let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
            // More than fits is as good as never.
            maxAge = value.hasPrefix("-") ? 0 : Int(digits.prefix(12))
        case "domain":
            let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            if !domain.isEmpty { self.domain = domain }
        case "path": path = value.hasPrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// Reads the dates of cookies, in all the forms in which servers write them (RFC 6265, section 5.1.1).
package enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The seconds since 1970; nil for what is no date.
    package static func seconds(_ text: String) -> Double? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter).map(Substring.init) {
            if time == nil, let found = readTime(token) {
                time = found
            } else if day == nil, let number = leadingNumber(token, digits: 1...2) {
                day = number
            } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = index + 1
            } else if year == nil, let number = leadingNumber(token, digits: 2...4) {
                year = number
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        guard (1...31).contains(day), year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else {
            return nil
        }
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        return Double(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func readTime(_ token: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let fields = token.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = Int(fields[0]), let minute = Int(fields[1]),
            let second = leadingNumber(fields[2], digits: 1...2), hour >= 0, minute >= 0
        else { return nil }
        return (hour, minute, second)
    }

    /// The number that a token begins with, when it has as many digits as it may.
    private static func leadingNumber(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix { $0.isASCII && $0.isNumber }
        return digits.contains(number.count) ? Int(number) : nil
    }
}
