/// A cookie that a response sets (RFC 6265bis, section 4.1).
///
/// ```swift
/// var response = Response.text("Saved.")
/// response.setCookie(try SetCookie("theme", "dark", maxAge: .seconds(30 * 86_400), isSecure: request.isSecure))
/// ```
public struct SetCookie: Sendable, Equatable, CustomStringConvertible {
    /// The requests from other sites that carry a cookie (the `SameSite` attribute).
    public enum SameSite: String, Sendable {
        /// Only top-level navigation with a safe method.
        case lax = "Lax"
        /// No requests from other sites.
        case strict = "Strict"
        /// All requests. Browsers accept such a cookie only over HTTPS.
        case none = "None"
    }

    /// The name, which is case-sensitive.
    public let name: String
    /// The value.
    public let value: String
    /// The path of the cookie: browsers send it to this path and those below it. nil for the folder of the request's path.
    public internal(set) var path: String?
    /// The host of the cookie: browsers send it to this host and those below it. nil for the host that set it, alone.
    public internal(set) var domain: String?
    /// The lifetime; zero removes the cookie. It takes precedence over `expires`.
    public internal(set) var maxAge: Duration?
    /// The end of the cookie's life. If `maxAge` is nil too, the cookie lives until the client restarts.
    public internal(set) var expires: HTTPDate?
    /// The requests from other sites that carry it; nil leaves that to the browser.
    public internal(set) var sameSite: SameSite?
    /// Whether scripts on a page can't read the cookie.
    public internal(set) var isHTTPOnly = false
    /// Whether browsers send the cookie over HTTPS only.
    public internal(set) var isSecure = false
    /// The text of `Expires` in a field that was parsed, valid or not.
    package private(set) var expiresText: String?

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: a token (RFC 9110, section 5.6.2). The prefixes `__Secure-` and `__Host-` are promises, which this initialiser
    ///     checks.
    ///   - value: visible ASCII characters without `"`, `,`, `;` and `\`. Percent-encode other texts.
    ///   - maxAge: the lifetime in whole seconds; nil: until the client restarts. Browsers limit it to 400 days.
    ///   - path: the path of the cookie, which includes the paths below it.
    ///   - domain: the host of the cookie, which includes the hosts below it; nil for the host that sets it, alone.
    ///   - isSecure: whether browsers send it over HTTPS only. `request.isSecure` also suits programs that run without TLS during
    ///     development.
    /// - Throws: `CookieError` for a cookie that clients refuse.
    public init(
        _ name: String,
        _ value: String,
        maxAge: Duration? = nil,
        path: String = "/",
        domain: String? = nil,
        sameSite: SameSite = .lax,
        isHTTPOnly: Bool = true,
        isSecure: Bool
    ) throws(CookieError) {
        self.init(unchecked: name, value)
        self.maxAge = maxAge
        self.path = path
        self.domain = domain
        self.sameSite = sameSite
        self.isHTTPOnly = isHTTPOnly
        self.isSecure = isSecure
        if let problem { throw problem }
    }

    /// Removes a cookie from the client. `path` and `domain` must be the same as for the cookie.
    ///
    /// - Throws: `CookieError`, as for a new cookie.
    public init(
        removing name: String,
        path: String = "/",
        domain: String? = nil,
        isSecure: Bool
    ) throws(CookieError) {
        try self.init(name, "", maxAge: .zero, path: path, domain: domain, isSecure: isSecure)
        expires = HTTPDate(secondsSince1970: 0)
    }

    /// Creates a cookie without attributes.
    init(unchecked name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The value of the `Set-Cookie` field.
    public var description: String {
        var text = "\(name)=\(value)"
        if let path { text += "; Path=\(path)" }
        if let domain { text += "; Domain=\(domain)" }
        if let maxAge { text += "; Max-Age=\(max(0, maxAge.components.seconds))" }
        if let expires { text += "; Expires=\(expires)" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return isSecure ? text + "; Secure" : text
    }
}

extension SetCookie {
    /// The maximum size of a name with its value, and of an attribute's value (RFC 6265bis, section 5.6), in bytes.
    private static let largest = (pair: 4096, attribute: 1024)

    /// The reason why clients would refuse the cookie; nil for a valid cookie.
    private var problem: CookieError? {
        guard HTTPField.Name(name) != nil else { return .name(name) }
        guard value.utf8.allSatisfy(Self.isOctet) else { return .value(value, name: name) }
        guard name.utf8.count + value.utf8.count <= Self.largest.pair else { return .tooLarge(name: name) }
        if let path, !Self.isPath(path) { return .attribute("the path '\(path)'", name: name) }
        if let domain, domain.isEmpty || !domain.utf8.allSatisfy(Self.isOfHost) {
            return .attribute("the domain '\(domain)'", name: name)
        }
        if sameSite == SameSite.none, !isSecure { return .insecure(name: name, reason: "SameSite=None") }
        let prefix = name.prefix(9).lowercased()
        if prefix == "__secure-", !isSecure { return .insecure(name: name, reason: "its name") }
        guard prefix.hasPrefix("__host-") else { return nil }
        if !isSecure { return .insecure(name: name, reason: "its name") }
        return path == "/" && domain == nil ? nil : .attribute("a path other than / or a domain", name: name)
    }

    /// Whether a path is valid in a cookie: visible ASCII without a semicolon.
    static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= largest.attribute
            && path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") }
    }

    /// `cookie-octet` of the grammar.
    private static func isOctet(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\",;\\".utf8.contains(byte)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || ".-".utf8.contains(byte) }
}

extension SetCookie {
    /// Reads the value of a `Set-Cookie` field as clients do (RFC 6265bis, section 5.6). Unreadable attributes, such as an invalid
    /// date, are ignored.
    ///
    /// - Returns: nil for a field without a name or with a control character: clients ignore it.
    public init?(parsing field: String) {
        guard !field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
        let pair = parts.removeFirst()
        guard let equals = pair.firstIndex(of: "=") else { return nil }
        let name = pair[..<equals].trimmed
        guard !name.isEmpty else { return nil }
        self.init(unchecked: String(name), String(pair[pair.index(after: equals)...].trimmed))
        for part in parts {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = equals < part.endIndex ? String(part[part.index(after: equals)...].trimmed) : ""
            take(part[..<equals].trimmed.lowercased(), value)
        }
    }

    /// The end of the cookie's life, in seconds since 1970; nil if it lives as long as the app.
    package func expiry(now: Double) -> Double? {
        if let maxAge { return maxAge > .zero ? now + Double(maxAge.components.seconds) : -Double.infinity }
        return expires.map { Double($0.secondsSince1970) }
    }

    private mutating func take(_ attribute: String, _ value: String) {
        switch attribute {
        case "expires":
            expires = CookieDate.read(value) ?? expires
            expiresText = value
        case "max-age":
            let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return }
            // Larger values are as good as endless.
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

/// The error for a cookie that clients refuse.
public enum CookieError: Error, Equatable, CustomStringConvertible {
    /// The name is not a token.
    case name(String)
    /// The value has a character that would end it, or that clients don't accept.
    case value(String, name: String)
    /// The name and the value have more than 4,096 bytes.
    case tooLarge(name: String)
    /// The path or the domain is invalid in a cookie of that name.
    case attribute(String, name: String)
    /// Clients accept such a cookie only with `Secure`.
    case insecure(name: String, reason: String)

    /// The problem, and the text to write instead.
    public var description: String {
        switch self {
        case .name(let name):
            "\(name.quoted) can't be a cookie's name: it takes letters, digits and !#$%&'*+-.^_`|~"
        case .value(let value, let name):
            "\(value.quoted) can't be the value of the cookie '\(name)': percent-encode it, or write it in base64"
        case .tooLarge(let name):
            "the cookie '\(name)' has more than 4,096 bytes: keep large values in a session"
        case .attribute(let what, let name): "the cookie '\(name)' can't have \(what)"
        case .insecure(let name, let reason): "the cookie '\(name)' needs isSecure: true, because of \(reason)"
        }
    }
}

extension Response {
    /// Sets a cookie, in addition to the response's other cookies. Of several with one name and path, the last counts.
    public mutating func setCookie(_ cookie: SetCookie) {
        headers.append(HTTPField(name: .setCookie, value: cookie.description))
    }
}

/// Reads the dates of cookies in all forms that servers write (RFC 6265bis, section 5.1.1).
package enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The moment; nil for an invalid date, such as February 30.
    package static func read(_ text: String) -> HTTPDate? {
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
        guard HTTPDate.calendarDate(daysSince1970: days).day == day else { return nil }
        return HTTPDate(secondsSince1970: days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second)
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

    /// The number at the start of a token, if it has a permitted number of digits.
    private static func leadingNumber(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix { $0.isASCII && $0.isNumber }
        return digits.contains(number.count) ? Int(number) : nil
    }
}
