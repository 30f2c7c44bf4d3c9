extension SetCookie {
    /// Reads the value of a `Set-Cookie` field as clients do (RFC 6265bis, section 5.6): attributes that can't be read,
    /// such as a date that is none, are left out.
    ///
    /// - Returns: nil where it has no name, or a control character: no cookie is set then.
    public init?(parsing field: String) {
        guard !field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
        let pair = parts.removeFirst()
        guard let equals = pair.firstIndex(of: "=") else { return nil }
        let name = pair[..<equals].trimmed
        guard !name.isEmpty else { return nil }
        var attributes = Attributes()
        for part in parts {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = equals < part.endIndex ? String(part[part.index(after: equals)...].trimmed) : ""
            attributes.take(part[..<equals].trimmed.lowercased(), value)
        }
        self.init(
            unchecked: String(name),
            String(pair[pair.index(after: equals)...].trimmed),
            path: attributes.path,
            domain: attributes.domain,
            maxAge: attributes.maxAge,
            expires: attributes.expires,
            expiresText: attributes.expiresText,
            sameSite: attributes.sameSite,
            isHTTPOnly: attributes.isHTTPOnly,
            isSecure: attributes.isSecure
        )
    }

    /// When the cookie ends, in seconds since 1970; nil for never as long as the app runs.
    package func expiry(now: Double) -> Double? {
        if let maxAge { return maxAge > .zero ? now + Double(maxAge.components.seconds) : -Double.infinity }
        return expires.map { Double($0.secondsSince1970) }
    }

    private struct Attributes {
        var path: String?
        var domain: String?
        var maxAge: Duration?
        var expires: HTTPDate?
        var expiresText: String?
        var sameSite: SameSite?
        var isHTTPOnly = false
        var isSecure = false

        mutating func take(_ attribute: String, _ value: String) {
            switch attribute {
            case "expires":
                expires = CookieDate.read(value) ?? expires
                expiresText = value
            case "max-age":
                let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
                // More than fits is as good as never.
                maxAge = value.hasPrefix("-") ? .zero : Int(digits.prefix(12)).map { .seconds($0) }
            case "domain":
                let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                if !domain.isEmpty { self.domain = domain }
            case "path": path = value.hasPrefix("/") ? value : nil
            case "samesite":
                sameSite = [SameSite.lax, .strict, .none].first { $0.rawValue.lowercased() == value.lowercased() }
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }
    }
}
