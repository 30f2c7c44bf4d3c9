/// Names of fields, cookies, parameters and variables with secret values.
package struct SecretNames: Sendable {
    /// Words that make a name secret, with the kinds of their values for the report.
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
    /// Secret names of several words, written without separators.
    private static let joined: [(name: String, kind: String)] = [
        ("apikey", "token"), ("accesskey", "token"), ("privatekey", "secret"), ("secretkey", "secret"),
        ("clientkey", "secret"), ("encryptionkey", "secret"), ("signingkey", "secret"), ("accesstoken", "token"),
        ("refreshtoken", "token"), ("idtoken", "token"), ("sessionid", "token"), ("sessionkey", "token"),
        ("authcode", "token"), ("verificationcode", "password"), ("securitycode", "card"), ("cardnumber", "card"),
        ("creditcard", "card"), ("accountnumber", "account"), ("passwordhash", "password"), ("mypassword", "password"),
        ("recoverycode", "password"), ("backupcode", "password"), ("passphrase", "password"),
        ("accountkey", "secret"), ("subscriptionkey", "token"), ("codeverifier", "secret"), ("smscode", "password"),
    ]
    /// Complete names that are secret: `boarding_pass` and `pass_rate` aren't.
    private static let whole: Set<String> = [
        "pass", "userpass", "dbpass", "mypass", "loginpass", "adminpass", "smtppass", "mailpass",
    ]
    /// Last words of names that concern a secret, but don't contain it.
    private static let harmless: Set<String> = [
        "type", "count", "expires", "expiry", "expiration", "in", "at", "ttl", "length", "url", "uri",
        "enabled", "required", "visible", "label", "hint", "placeholder", "title", "error", "message", "policy",
        "method", "methods", "scheme", "status", "strength", "min", "max",
    ]
    /// Such last words for values that aren't texts.
    private static let harmlessForNumbers: Set<String> = ["valid", "name"]

    private let own: Set<String>

    /// - Parameter own: further secret names, in any case.
    package init(_ own: [String] = []) {
        self.own = Set(own.map { $0.lowercased() })
    }

    /// Whether the user has declared a name as secret.
    package func isOwn(_ name: String) -> Bool { own.contains(name.lowercased()) }

    /// The kind of a name's values; nil if they aren't secret.
    ///
    /// - Parameter isText: whether the value is a text, not a number.
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

    /// Whether a cookie of that name identifies the client's session.
    package static func isSession(_ cookie: String) -> Bool {
        let name = cookie.lowercased()
        return name.contains("sess") || name.hasSuffix("sid") || name.contains("auth") || name.contains("token")
            || name.contains("login")
    }

    /// Whether one of some words makes a name secret.
    package static func areSecret(_ words: [String]) -> Bool {
        words.contains { word in Self.words.contains { $0.word == word } }
    }

    /// `accessToken`, `access-token`, `ACCESSToken` and `ACCESS_TOKEN2` are `access` and `token`.
    package static func words(in name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        func end() {
            let end = word.lastIndex { !$0.isNumber } ?? word.endIndex
            // A word with only digits stays.
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
