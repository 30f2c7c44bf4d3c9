import Backlot

/// Names of fields, cookies, parameters and variables whose values are secrets.
package struct SecretNames: Sendable {
    /// Words that make a name secret, with what the report calls its values.
    private static let words: [(word: String, kind: String)] = [
        ("password", "password"), ("passwd", "password"), ("pwd", "password"), ("passphrase", "password"),
        ("passcode", "password"), ("pin", "password"), ("otp", "password"), ("totp", "password"), ("mfa", "password"),
        ("secret", "secret"), ("secrets", "secret"), ("credential", "secret"), ("credentials", "secret"),
        ("signature", "secret"), ("sig", "secret"), ("nonce", "secret"), ("salt", "secret"), ("passwords", "password"),
        ("pw", "password"), ("passwort", "password"), ("kennwort", "password"),
        ("token", "token"), ("tokens", "token"), ("jwt", "token"), ("bearer", "token"), ("csrf", "token"),
        ("xsrf", "token"), ("auth", "token"), ("authorization", "token"), ("apikey", "token"), ("sid", "token"),
        ("session", "token"), ("sessionid", "token"), ("jsessionid", "token"), ("phpsessid", "token"),
        ("cvv", "card"), ("cvc", "card"), ("iban", "account"), ("ssn", "account"), ("pan", "card"),
    ]
    /// The same for names of several words, written without what separates them.
    private static let joined: [(name: String, kind: String)] = [
        ("apikey", "token"), ("accesskey", "token"), ("privatekey", "secret"), ("secretkey", "secret"),
        ("clientkey", "secret"), ("encryptionkey", "secret"), ("signingkey", "secret"), ("accesstoken", "token"),
        ("refreshtoken", "token"), ("idtoken", "token"), ("sessionid", "token"), ("sessionkey", "token"),
        ("authcode", "token"), ("verificationcode", "password"), ("securitycode", "card"), ("cardnumber", "card"),
        ("creditcard", "card"), ("accountnumber", "account"), ("passwordhash", "password"), ("mypassword", "password"),
        ("recoverycode", "password"), ("backupcode", "password"), ("passphrase", "password"),
        ("accountkey", "secret"), ("subscriptionkey", "token"), ("codeverifier", "secret"), ("smscode", "password"),
    ]
    /// Names that are secret as a whole: `boarding_pass` and `pass_rate` aren't.
    private static let whole: Set<String> = [
        "pass", "userpass", "dbpass", "mypass", "loginpass", "adminpass", "smtppass", "mailpass",
    ]
    /// Last words by which a name is about a secret, and holds none.
    private static let harmless: Set<String> = [
        "type", "count", "expires", "expiry", "expiration", "in", "at", "ttl", "length", "url", "uri",
        "enabled", "required", "visible", "label", "hint", "placeholder", "title", "error", "message", "policy",
        "method", "methods", "scheme", "status", "strength", "min", "max",
    ]
    /// The same for values that are no texts.
    private static let harmlessForNumbers: Set<String> = ["valid", "name"]
    /// Keys that hold the token of an object whose own key names a token.
    static let leaves: Set<String> = ["value", "id", "raw", "key", "token"]

    private let own: Set<String>

    /// - Parameter own: names that are secret too, whatever their case.
    package init(_ own: [String] = []) {
        self.own = Set(own.map { $0.lowercased() })
    }

    /// Whether a name is secret since the user says so.
    func isOwn(_ name: String) -> Bool { own.contains(name.lowercased()) }

    /// What the values of a name are called; nil when they are no secrets.
    ///
    /// - Parameter isText: whether the value is a text, and no number.
    package func kind(of name: String, isText: Bool = true) -> String? {
        if isOwn(name) { return name }
        let words = Self.words(in: name)
        guard let last = words.last else { return nil }
        if words.count > 1, Self.harmless.contains(last) || !isText && Self.harmlessForNumbers.contains(last) {
            return nil
        }
        if let found = Self.words.first(where: { words.contains($0.word) }) { return found.kind }
        let whole = words.joined()
        if isText, Self.whole.contains(whole) { return "password" }
        return Self.joined.first { whole.contains($0.name) }?.kind
    }

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
        let words = Self.words(in: value)
        let own = Self.words(in: name).filter { $0.count > 2 }
        // A PIN has digits; a pin of letters is on a map.
        if own.contains(where: ["pin", "otp", "totp", "mfa"].contains) { return false }
        if own.contains(where: { lower.contains($0) })
            || words.contains(where: { word in
                Self.words.contains { $0.word == word }
            })
        {
            return false
        }
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

    /// Whether a cookie of that name tells the client's session.
    package static func isSession(_ cookie: String) -> Bool {
        let name = cookie.lowercased()
        return name.contains("sess") || name.hasSuffix("sid") || name.contains("auth") || name.contains("token")
            || name.contains("login")
    }

    /// `accessToken`, `access-token`, `ACCESSToken` and `ACCESS_TOKEN2` are `access` and `token`.
    static func words(in name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        func end() {
            let end = word.lastIndex { !$0.isNumber } ?? word.endIndex
            // A word of digits alone stays.
            if !word.isEmpty { words.append(end < word.endIndex ? String(word[...end]) : word) }
            word = ""
        }
        for index in name.indices {
            let character = name[index]
            guard character.isLetter || character.isNumber else {
                end()
                wasLower = false
                continue
            }
            let next = name.index(after: index)
            if character.isUppercase, wasLower || next < name.endIndex && name[next].isLowercase { end() }
            word += character.lowercased()
            wasLower = character.isLowercase || character.isNumber
        }
        end()
        return words
    }
}
