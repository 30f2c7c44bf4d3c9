import Backlot
import BacklotJSON
import HTTPTypes

/// Takes the secrets out of a recording: each is replaced by a pseudonym, the same for the same secret, so that flows go on working.
package struct Redaction: Sendable {
    /// A kind of secrets, and a place where they were.
    private struct Finding: Hashable {
        let kind: String
        let place: String
    }

    private let names: SecretNames
    private var counts: [Finding: Int] = [:]
    private var order: [Finding] = []
    /// What stands for secrets.
    package private(set) var pseudonyms: Set<String> = []

    /// A redaction.
    ///
    /// - Parameter keys: the names of keys, fields, parameters, header fields and variables that are secret too.
    package init(keys: [String] = []) {
        names = SecretNames(keys)
    }

    /// What was replaced, and where: a line for each kind and place, without the secrets.
    package var report: [String] {
        order.map { finding in
            let count = counts[finding] ?? 0
            return "\(finding.kind): \(finding.place)\(count > 1 ? " (\(count) times)" : "")"
        }
    }

    /// How many texts were replaced.
    package var count: Int { counts.values.reduce(0, +) }

    /// The exchanges without secrets.
    package mutating func redacted(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        var secrets = FoundSecrets(names)
        for exchange in exchanges { secrets.collect(exchange) }
        var run = RedactionRun(secrets)
        let redacted = exchanges.map { run.redacted($0) }
        pseudonyms.formUnion(run.pseudonyms)
        for (kind, place) in run.notes {
            let finding = Finding(kind: kind, place: place)
            if counts[finding] == nil { order.append(finding) }
            counts[finding, default: 0] += 1
        }
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

    /// The kind of a scalar of JSON: of its own key, or of one around it.
    static func kind(of scalar: JSONScalars.Scalar, _ names: SecretNames) -> String? {
        guard let last = scalar.keys.last else { return nil }
        if let kind = names.kind(of: last, isText: scalar.isString) { return kind }
        // {"authToken": {"value": "…"}}
        if SecretNames.leaves.contains(last.lowercased()), let around = scalar.keys.dropLast().last,
            let kind = names.kind(of: around), kind == "token"
        {
            return kind
        }
        // {"credentials": {"a": "…"}}, but not {"session": {"user": "…"}}.
        for key in scalar.keys.dropLast() {
            if let kind = names.kind(of: key), kind == "secret" || kind == "password" || kind == key { return kind }
        }
        return nil
    }
}

/// The secrets of a recording.
struct FoundSecrets {
    let names: SecretNames
    private(set) var pseudonyms = Pseudonyms()
    /// Those that are replaced wherever they recur, with their kinds.
    private(set) var recurring: [String: String] = [:]

    /// Words that mean too much elsewhere.
    private static let common: Set<String> = [
        "true", "false", "null", "none", "undefined", "default", "basic", "bearer", "token", "password", "secret",
        "string", "number", "text", "user", "name", "test",
    ]

    init(_ names: SecretNames) {
        self.names = names
    }

    /// What stands for a secret.
    mutating func pseudonym(of secret: String, kind: String) -> String {
        pseudonyms.pseudonym(of: secret, kind: recurring[secret] ?? kind)
    }

    /// - Parameter shortest: from how many bytes on it is replaced wherever it recurs.
    private mutating func add(_ secret: some StringProtocol, _ kind: String, recursFrom shortest: Int = 4) {
        let secret = String(secret)
        guard !secret.isEmpty else { return }
        _ = pseudonym(of: secret, kind: kind)
        guard secret.utf8.count >= shortest, !Self.common.contains(secret.lowercased()) else { return }
        if recurring[secret] == nil { recurring[secret] = kind }
    }

    private mutating func addShapes(_ text: String) {
        for found in SecretShapes.found(in: text) { add(found.text, found.kind) }
    }

    // MARK: Collecting

    mutating func collect(_ exchange: RecordedExchange) {
        collect(path: exchange.path)
        if let query = exchange.query { collect(pairs: String(query)) }
        for field in exchange.requestHeaders { collect(field) }
        for field in exchange.responseHeaders { collect(field) }
        collect(exchange.requestBody, type: exchange.requestHeaders[.contentType] ?? "")
        collect(exchange.responseBody, type: exchange.responseHeaders[.contentType] ?? "")
    }

    private mutating func collect(_ field: HTTPField) {
        let name = field.name.canonicalName
        if SecretPart.credentialFields.contains(name) {
            guard let parts = SecretPart.credentials(field.value) else { return add(field.value, "credentials") }
            add(parts.credentials, "credentials")
            guard parts.scheme.lowercased() == "basic", let bytes = Base64.decode(String(parts.credentials)) else {
                return
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let colon = text.firstIndex(of: ":") { add(text[text.index(after: colon)...], "password") }
            addShapes(text)
            return
        }
        if field.name == .cookie || field.name == .setCookie {
            let pairs =
                field.name == .cookie
                ? field.value.split(separator: ";") : Array(field.value.split(separator: ";").prefix(1))
            for pair in pairs {
                guard let equals = pair.firstIndex(of: "=") else { continue }
                let name = String(pair[..<equals].trimmed)
                let isSecret = SecretNames.isSession(name) || names.kind(of: name) != nil
                let value = String(pair[pair.index(after: equals)...].trimmed)
                add(value, "cookie", recursFrom: isSecret ? 4 : 8)
                let decoded = FormText.decode(value[...])
                if decoded != value { add(decoded, "cookie", recursFrom: isSecret ? 4 : 8) }
            }
            return
        }
        if let kind = names.kind(of: field.name.rawName) {
            return add(SecretPart.schemeAndCredentials(field.value)?.credentials ?? field.value[...], kind)
        }
        addShapes(field.value)
        for (pair, _) in NamedTexts.assigned(in: field.value, isField: true) {
            if let kind = names.kind(of: pair.name) { add(pair.value, kind) }
        }
        for part in field.value.split(whereSeparator: { "<>,; \"'=".contains($0) }) where part.contains("/") {
            collect(path: part.prefix { $0 != "?" && $0 != "#" })
        }
    }

    /// Collects what follows a segment such as `reset` or `token`, and what parameters of segments hold.
    private mutating func collect(path: Substring) {
        var before = ""
        for segment in path.split(separator: "/") {
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            for part in parts.dropFirst() { collect(pairs: String(part)) }
            let text = PercentDecoding.repair((parts.first ?? "").utf8.span)
            if names.leadsToSecret(before), SecretShapes.isRandom(text) { add(text, "token") }
            before = text
        }
        addShapes(PercentDecoding.repair(path.utf8.span))
    }

    private mutating func collect(pairs text: String) {
        for pair in NamedValue.decoded(text) {
            if let kind = names.kind(of: pair.name) { add(pair.value, kind) } else { addShapes(pair.value) }
        }
    }

    private mutating func collect(_ body: [UInt8], type: String) {
        guard !body.isEmpty else { return }
        guard let text = String(validating: body, as: UTF8.self) else {
            let text = Latin1.text(body)
            // In pictures and the like, what looks like a secret stands by chance.
            collectNamed(text, Array(text.utf8), type: type)
            return
        }
        if !collectNamed(text, body, type: type) { addShapes(text) }
    }

    /// Collects the secrets of a body that have names.
    ///
    /// - Returns: whether those without names are collected, too.
    @discardableResult
    private mutating func collectNamed(_ text: String, _ body: [UInt8], type: String) -> Bool {
        if let scalars = JSONScalars.of(body) {
            for scalar in scalars { collect(scalar) }
            if let value = try? JSONValue(parsing: body) { collectVariables(value) }
            return true
        }
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            collect(pairs: text)
            return true
        }
        for scalar in JSONScalars.ofLines(body) ?? [] { collect(scalar) }
        if let parts = FormPart.parts(of: body, type: type) {
            for part in parts { collect(part) }
            return false
        }
        for (pair, isQuoted) in NamedTexts.assigned(in: text, isField: false) {
            // Words in quotes say something about a secret more often than they are one.
            guard let kind = names.kind(of: pair.name), !isQuoted || SecretShapes.isRandom(pair.value) else { continue }
            add(pair.value, kind)
        }
        if text.first(where: { !$0.isWhitespace }) == "<" {
            for element in NamedTexts.elements(in: text) {
                guard let kind = names.kind(of: element.name) else { continue }
                add(element.value, kind)
                add(NamedTexts.unescaped(element.value), kind)
            }
        }
        return false
    }

    private mutating func collect(_ scalar: JSONScalars.Scalar) {
        if let kind = SecretPart.kind(of: scalar, names) { return add(scalar.text, kind) }
        addShapes(scalar.text)
        // JSON, or a query, within a text.
        guard scalar.isString, let first = scalar.text.utf8.first else { return }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            for inner in JSONScalars.of(Array(scalar.text.utf8)) ?? [] { collect(inner) }
        } else if !scalar.text.contains(" ") {
            if scalar.text.contains("/") { collect(path: scalar.text.prefix { $0 != "?" && $0 != "#" }) }
            guard let mark = scalar.text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return }
            collect(pairs: String(scalar.text[scalar.text.index(after: mark)...].prefix { $0 != "#" }))
        }
    }

    /// The values of inputs on a page, such as `{"var_name": "pin", "initial_string": "1234"}`.
    private mutating func collectVariables(_ value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { collectVariables(element) }
        case .object(let object):
            for key in ["var_name", "name", "key", "field", "id"] {
                guard let name = object[key]?.string, let kind = names.kind(of: name) else { continue }
                for key in ["initial_string", "initial", "value", "default", "default_value"] {
                    if let text = object[key]?.string { add(text, kind) }
                }
            }
            for member in object.members { collectVariables(member.value) }
        default: break
        }
    }

    private mutating func collect(_ part: FormPart) {
        if let kind = names.kind(of: part.name) { return add(Latin1.utf8(part.body), kind) }
        collect(part.body, type: part.type)
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
