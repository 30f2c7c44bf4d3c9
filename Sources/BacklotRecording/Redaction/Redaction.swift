import Backlot
import BacklotJSON
import BacklotMocks
import HTTPTypes

/// Takes the secrets out of a recording: each is replaced by a pseudonym, the same for the same secret, so that flows go on working.
package struct Redaction: Sendable {
    private let names: SecretNames
    private var findings = Tally<String>()
    /// What stands for secrets.
    package private(set) var pseudonyms: Set<String> = []

    /// A redaction.
    ///
    /// - Parameter keys: the names of keys, fields, parameters, header fields and variables that are secret too.
    package init(keys: [String] = []) {
        names = SecretNames(keys)
    }

    /// What was replaced, and where: a line for each kind and place, without the secrets.
    package var report: [String] { findings.lines }

    /// The exchanges without secrets.
    package mutating func redacted(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        var secrets = FoundSecrets(names)
        for exchange in exchanges { secrets.collect(exchange) }
        var run = RedactionRun(secrets)
        let redacted = exchanges.map { run.redacted($0) }
        pseudonyms.formUnion(run.pseudonyms)
        for (kind, place) in run.notes { findings.add("\(kind): \(place)") }
        return redacted
    }
}

/// The parts of a recording that hold secrets by their names.
enum SecretPart {
    /// The credentials of a field such as `Bearer abc`: what follows the scheme.
    static func credentials(_ value: String) -> (scheme: Substring, credentials: Substring)? {
        guard let blank = value.firstIndex(of: " ") else { return nil }
        return (value[..<blank], value[value.index(after: blank)...])
    }

    static let credentialFields: Set<String> = ["authorization", "proxy-authorization"]

    private static let schemes: Set<String> = ["basic", "bearer", "digest", "token", "jwt", "apikey", "hoba", "mac"]

    /// The same for a field that may hold anything: nil where no known scheme begins it.
    static func schemeAndCredentials(_ value: String) -> (scheme: Substring, credentials: Substring)? {
        credentials(value).flatMap { schemes.contains($0.scheme.lowercased()) ? $0 : nil }
    }

    /// The values of parameters that make up credentials such as `username="ann", nonce="…"` (RFC 7616, section 3.4); nil where
    /// there are none.
    static func parameters(ofDigest credentials: Substring) -> [Range<Substring.Index>]? {
        let secret: Set<Substring> = ["username", "username*", "nonce", "cnonce", "opaque", "response"]
        let all = credentials.matches(of: /([A-Za-z]+\*?)=(?:"([^"]*)"|([^\s,"=]+))/)
        guard !all.isEmpty else { return nil }
        return all.filter { secret.contains(Substring($0.1.lowercased())) }.compactMap { match in
            (match.2 ?? match.3).map { $0.startIndex..<$0.endIndex }
        }
    }

    /// Whether a ticket lets somebody in, and isn't the number of a ticket for a concert or of a complaint, which is shorter.
    static func isTicket(_ value: String) -> Bool { value.utf8.count >= 16 && SecretShapes.isRandom(value) }

    /// The kind of a scalar of JSON: of its own key, or of one around it.
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

/// Bytes of ISO 8859-1, in which each is a character.
enum Latin1 {
    /// The text of bytes.
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    /// The text of bytes in UTF-8, or else in ISO 8859-1.
    static func utf8(_ bytes: [UInt8]) -> String { String(validating: bytes, as: UTF8.self) ?? text(bytes) }

    /// The bytes of a text; nil where it has other characters.
    static func bytes(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count ? bytes : nil
    }
}
