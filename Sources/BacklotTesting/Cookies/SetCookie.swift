/// What a `Set-Cookie` field says (RFC 6265, section 5.2).
struct SetCookie {
    let name: String
    let value: String
    private(set) var domain: String?
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    /// What stands under `Expires`, whether it is a date or not.
    private(set) var expiresText: String?
    private var maxAge: Int?
    private var expires: Double?

    /// Reads the value of a field; nil where it has no name, and no cookie is set then.
    init?(_ field: String) {
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
    var hasMaxAge: Bool { maxAge != nil }

    /// When the cookie ends, in seconds since 1970; nil for never as long as the app runs. `Max-Age` counts before `Expires`.
    func expiry(now: Double) -> Double? {
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
