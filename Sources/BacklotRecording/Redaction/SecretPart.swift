import Backlot
import BacklotMocks

/// Decides whether named values are secrets or words about secrets.
extension SecretNames {
    /// Keys for the token of an object whose own key names a token.
    static let leaves: Set<String> = ["value", "id", "raw", "key", "token"]

    /// Whether a `code` among parameters is a secret: beside `state`, or on a path such as `/oauth/callback` (RFC 6749, section
    /// 4.1.2).
    static func areGrant(_ pairs: [NamedValue], path: some StringProtocol) -> Bool {
        let path = path.lowercased()
        return path.contains("callback") || path.contains("oauth")
            || pairs.contains { ["state", "grant_type"].contains($0.name) }
    }

    /// The kind of a parameter that is secret by its name, or by its random value: a `key`, a `ticket`, or the `code` of a grant.
    func kind(of pair: NamedValue, isInGrant: Bool) -> String? {
        if let kind = kind(of: pair.name) { return kind }
        guard SecretShapes.isRandom(pair.value), pair.value.contains(where: \.isLetter) else { return nil }
        switch pair.name.lowercased() {
        case "key": return "token"
        case "ticket": return SecretPart.isTicket(pair.value) ? "token" : nil
        case "code": return isInGrant ? "token" : nil
        default: return nil
        }
    }

    /// Words in quotes after a secret's name that aren't secrets: they name a widget, a type, a state or the field itself.
    private static let describing: Set<String> = [
        "current-password", "new-password", "textfield", "text-field", "textarea", "formfield", "form-field",
        "checkbox",
        "required", "optional", "disabled", "readonly", "identifier", "username", "anonymous", "undefined", "function",
        "parameter", "variable", "expression", "operator", "punctuation", "constant", "redacted", "filtered",
        "kennwort",
        "passwort", "wachtwoord", "contraseña", "adgangskode", "salasana", "lösenord", "passphrase", "no-store",
        "same-origin", "credentials", "include", "sensitive", "sequence", "location", "protected", "unprotected",
    ]

    /// Whether a value of letters, such as `password="opensesame"`, is the secret rather than a word about it.
    ///
    /// - Parameter shortest: the minimum length in bytes.
    func isValue(_ value: String, of name: String, kind: String, shortest: Int = 8) -> Bool {
        guard ["password", "secret", "token"].contains(kind), value.utf8.count >= shortest,
            !value.contains(where: \.isWhitespace)
        else { return false }
        let lower = value.lowercased()
        if Self.describing.contains(lower) || "/#.$[{<%&@(".contains(value.first ?? "/") { return false }
        if value.contains(where: { "<>{}()".contains($0) }) || lower.hasPrefix("http") { return false }
        let own = Self.words(in: name).filter { $0.count > 2 }
        // A PIN has digits; a pin with letters is on a map.
        if own.contains(where: ["pin", "otp", "totp", "mfa"].contains) { return false }
        if own.contains(where: { lower.contains($0) }) || Self.areSecret(Self.words(in: value)) { return false }
        // Scripts contain many kinds of tokens, all of them words.
        return kind != "token" || value.contains { $0.isNumber || $0.isUppercase } || value.utf8.count >= 20
    }

    /// Path segments that precede a secret, in addition to the names of secrets.
    private static let leading: Set<String> = [
        "reset", "verify", "verification", "confirm", "confirmation", "activate", "activation", "invite", "invitation",
        "invites", "invitations", "magic", "unsubscribe", "recover", "recovery", "unlock", "signin", "login",
    ]

    /// Whether the segment after this one may be a secret, as after `reset` or `token`.
    func leadsToSecret(_ segment: String) -> Bool {
        kind(of: segment) != nil || Self.words(in: segment).contains { Self.leading.contains($0) }
    }
}

/// The parts of a recording that contain secrets according to their names.
enum SecretPart {
    /// The scheme and the credentials of a field such as `Bearer abc`.
    static func credentials(_ value: String) -> (scheme: Substring, credentials: Substring)? {
        guard let blank = value.firstIndex(of: " ") else { return nil }
        return (value[..<blank], value[value.index(after: blank)...])
    }

    static let credentialFields: Set<String> = ["authorization", "proxy-authorization"]

    private static let schemes: Set<String> = ["basic", "bearer", "digest", "token", "jwt", "apikey", "hoba", "mac"]

    /// The scheme and the credentials of any field; nil if it doesn't begin with a known scheme.
    static func schemeAndCredentials(_ value: String) -> (scheme: Substring, credentials: Substring)? {
        credentials(value).flatMap { schemes.contains($0.scheme.lowercased()) ? $0 : nil }
    }

    /// The values of parameters in credentials such as `username="ann", nonce="…"` (RFC 7616, section 3.4); nil without parameters.
    static func parameters(ofDigest credentials: Substring) -> [Range<Substring.Index>]? {
        let secret: Set<Substring> = ["username", "username*", "nonce", "cnonce", "opaque", "response"]
        // The expression takes a time in proportion to the square.
        guard credentials.utf8.count <= 2000 else { return nil }
        let all = credentials.matches(of: /([A-Za-z]+\*?)=(?:"([^"]*)"|([^\s,"=]+))/)
        guard !all.isEmpty else { return nil }
        return all.filter { secret.contains(Substring($0.1.lowercased())) }.compactMap { match in
            (match.2 ?? match.3).map { $0.startIndex..<$0.endIndex }
        }
    }

    /// Whether a ticket is a credential. The number of a concert ticket or a complaint is shorter.
    static func isTicket(_ value: String) -> Bool { value.utf8.count >= 16 && SecretShapes.isRandom(value) }

    /// The kind of a JSON scalar, by its own key or an enclosing one.
    static func kind(of scalar: JSONScalars.Scalar, _ names: SecretNames) -> String? {
        guard let last = scalar.keys.last else { return nil }
        if let kind = names.kind(of: last, isText: scalar.isString) { return kind }
        if last.lowercased() == "ticket", isTicket(scalar.text) { return "token" }
        // {"authToken": {"value": "…"}}
        if SecretNames.leaves.contains(last.lowercased()), let around = scalar.keys.dropLast().last,
            let kind = names.kind(of: around), kind == "token"
        {
            return kind
        }
        // {"sessions": [{"id": "…"}]}, but not the sessions of a conference.
        if last.lowercased() == "id", scalar.isString, scalar.text.utf8.count >= 8,
            scalar.keys.dropLast().last?.lowercased().hasSuffix("sessions") == true,
            scalar.text.contains(where: \.isNumber)
        {
            return "token"
        }
        // {"credentials": {"a": "…"}}, but not {"session": {"user": "…"}}.
        for key in scalar.keys.dropLast() {
            if let kind = names.kind(of: key), kind == "secret" || kind == "password" || kind == key { return kind }
        }
        return nil
    }
}

/// A piece of a header field: a secret, according to its name or position, or the text around it.
struct FieldPiece {
    let text: String
    /// The kind of the secret; nil for other text.
    var kind: String?
    /// The minimum length, in bytes, of a secret to replace at all of its occurrences.
    var shortest = 4
    /// Whether the part is a name or a separator, which stays.
    var isFixed = false

    /// The pieces of a field.
    static func all(in field: HTTPField, _ names: SecretNames) -> [FieldPiece] {
        let value = field.value
        if SecretPart.credentialFields.contains(field.name.canonicalName) {
            return pieces(SecretPart.credentials(value), of: value, kind: "credentials")
        }
        if field.name == .cookie || field.name == .setCookie {
            return cookies(in: value, isFirstAlone: field.name == .setCookie, names)
        }
        guard let kind = names.kind(of: field.name.rawName) else { return [FieldPiece(text: value)] }
        return pieces(SecretPart.schemeAndCredentials(value), of: value, kind: kind)
    }

    private static func pieces(
        _ parts: (scheme: Substring, credentials: Substring)?,
        of value: String,
        kind: String
    ) -> [FieldPiece] {
        guard let (scheme, credentials) = parts else { return [FieldPiece(text: value, kind: kind)] }
        var pieces = [FieldPiece(text: "\(scheme) ", isFixed: true)]
        guard kind == "credentials", scheme.lowercased() == "digest",
            let ranges = SecretPart.parameters(ofDigest: credentials)
        else { return pieces + [FieldPiece(text: String(credentials), kind: kind)] }
        var rest = credentials
        for range in ranges {
            pieces.append(FieldPiece(text: String(rest[..<range.lowerBound])))
            // A name or a nonce may be a short word.
            pieces.append(FieldPiece(text: String(rest[range]), kind: kind, shortest: 16))
            rest = rest[range.upperBound...]
        }
        return pieces + [FieldPiece(text: String(rest))]
    }

    /// - Parameter isFirstAlone: whether only the first pair is a cookie, followed by its attributes.
    private static func cookies(in value: String, isFirstAlone: Bool, _ names: SecretNames) -> [FieldPiece] {
        var pieces: [FieldPiece] = []
        for (index, pair) in value.split(separator: ";", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { pieces.append(FieldPiece(text: ";", isFixed: true)) }
            guard index == 0 || !isFirstAlone, let equals = pair.firstIndex(of: "=") else {
                pieces.append(FieldPiece(text: String(pair), isFixed: true))
                continue
            }
            let name = String(pair[..<equals].trimmed)
            let isSecret = SecretNames.isSession(name) || names.kind(of: name) != nil
            let secret = String(pair[pair.index(after: equals)...].trimmed)
            pieces.append(FieldPiece(text: String(pair[...equals]), isFixed: true))
            pieces.append(FieldPiece(text: secret, kind: "cookie", shortest: isSecret ? 4 : 8))
        }
        return pieces
    }
}
