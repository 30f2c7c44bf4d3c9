import Backlot
import BacklotMocks

/// Which values beside a name are secrets, and which are words about them.
extension SecretNames {
    /// Keys that hold the token of an object whose own key names a token.
    static let leaves: Set<String> = ["value", "id", "raw", "key", "token"]

    /// What a parameter's value is called that is secret by its name or by what stands beside it: `code` beside `state` or on a
    /// path such as `/oauth/callback` (RFC 6749, section 4.1.2), and a `key` or `ticket` that a machine has drawn.
    ///
    /// - Parameters:
    ///   - pair: the parameter.
    ///   - pairs: all parameters.
    ///   - path: the path before them.
    func kind(of pair: NamedValue, among pairs: [NamedValue], path: some StringProtocol) -> String? {
        if let kind = kind(of: pair.name) { return kind }
        guard SecretShapes.isRandom(pair.value), pair.value.contains(where: \.isLetter) else { return nil }
        switch pair.name.lowercased() {
        case "key": return "token"
        case "ticket": return SecretPart.isTicket(pair.value) ? "token" : nil
        case "code":
            let path = path.lowercased()
            let isGrant = path.contains("callback") || path.contains("oauth")
            return isGrant || pairs.contains { ["state", "grant_type"].contains($0.name) } ? "token" : nil
        default: return nil
        }
    }

    /// Words that stand in quotes after the name of a secret, and are none: they name a widget, a type, a state or the field itself.
    private static let describing: Set<String> = [
        "current-password", "new-password", "textfield", "text-field", "textarea", "formfield", "form-field",
        "checkbox",
        "required", "optional", "disabled", "readonly", "identifier", "username", "anonymous", "undefined", "function",
        "parameter", "variable", "expression", "operator", "punctuation", "constant", "redacted", "filtered",
        "kennwort",
        "passwort", "wachtwoord", "contraseña", "adgangskode", "salasana", "lösenord", "passphrase", "no-store",
        "same-origin", "credentials", "include", "sensitive", "sequence", "location", "protected", "unprotected",
    ]

    /// Whether a value of letters, such as `password="opensesame"`, is the secret, and not a word about it.
    ///
    /// - Parameter shortest: how many bytes it has at least.
    func isValue(_ value: String, of name: String, kind: String, shortest: Int = 8) -> Bool {
        guard ["password", "secret", "token"].contains(kind), value.utf8.count >= shortest,
            !value.contains(where: \.isWhitespace)
        else { return false }
        let lower = value.lowercased()
        if Self.describing.contains(lower) || "/#.$[{<%&@(".contains(value.first ?? "/") { return false }
        if value.contains(where: { "<>{}()".contains($0) }) || lower.hasPrefix("http") { return false }
        let own = Self.words(in: name).filter { $0.count > 2 }
        // A PIN has digits; a pin of letters is on a map.
        if own.contains(where: ["pin", "otp", "totp", "mfa"].contains) { return false }
        if own.contains(where: { lower.contains($0) }) || Self.areSecret(Self.words(in: value)) { return false }
        // Scripts have tokens of many kinds, all of which are words.
        return kind != "token" || value.contains { $0.isNumber || $0.isUppercase } || value.utf8.count >= 20
    }

    /// Segments of paths that a secret follows, beside the names of secrets.
    private static let leading: Set<String> = [
        "reset", "verify", "verification", "confirm", "confirmation", "activate", "activation", "invite", "invitation",
        "invites", "invitations", "magic", "unsubscribe", "recover", "recovery", "unlock", "signin", "login",
    ]

    /// Whether what follows a segment of a path may be a secret, as after `reset` or `token`.
    func leadsToSecret(_ segment: String) -> Bool {
        kind(of: segment) != nil || Self.words(in: segment).contains { Self.leading.contains($0) }
    }
}
