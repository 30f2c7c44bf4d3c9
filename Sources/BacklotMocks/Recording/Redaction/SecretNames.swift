/// Names of fields, cookies, parameters and variables whose values are secrets.
struct SecretNames: Sendable {
    /// Words that make a name secret, with what the report calls its values.
    private static let words: [(word: String, kind: String)] = [
        ("password", "password"), ("passwd", "password"), ("pwd", "password"), ("passphrase", "password"),
        ("passcode", "password"), ("pin", "password"), ("otp", "password"), ("totp", "password"), ("mfa", "password"),
        ("secret", "secret"), ("secrets", "secret"), ("credential", "secret"), ("credentials", "secret"),
        ("signature", "secret"), ("nonce", "secret"), ("salt", "secret"), ("passwords", "password"),
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
    ]
    /// Last words by which a name is about a secret, and holds none.
    private static let harmless: Set<String> = [
        "type", "count", "expires", "expiry", "expiration", "in", "at", "ttl", "length", "url", "uri", "valid",
        "enabled", "required", "visible", "label", "hint", "placeholder", "title", "error", "message", "policy",
        "method", "methods", "scheme", "status", "strength", "min", "max", "name",
    ]

    private let own: Set<String>

    /// - Parameter own: names that are secret too, whatever their case.
    init(_ own: [String] = []) {
        self.own = Set(own.map { $0.lowercased() })
    }

    /// What the values of a name are called; nil when they are no secrets.
    func kind(of name: String) -> String? {
        if own.contains(name.lowercased()) { return name }
        let words = Self.words(in: name)
        guard let last = words.last else { return nil }
        if words.count > 1, Self.harmless.contains(last) { return nil }
        if let found = Self.words.first(where: { words.contains($0.word) }) { return found.kind }
        let whole = words.joined()
        return Self.joined.first { whole.contains($0.name) }?.kind
    }

    /// Whether a cookie of that name tells the client's session.
    static func isSession(_ cookie: String) -> Bool {
        let name = cookie.lowercased()
        return name.contains("sess") || name.hasSuffix("sid") || name.contains("auth") || name.contains("token")
            || name.contains("login")
    }

    /// `accessToken`, `access-token` and `ACCESS_TOKEN` are `access` and `token`.
    static func words(in name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                (word, wasLower) = ("", false)
                continue
            }
            if character.isUppercase, wasLower, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += character.lowercased()
            wasLower = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
