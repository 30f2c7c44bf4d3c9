import Backlot
import BacklotMocks

/// The secrets of a recording.
struct FoundSecrets {
    let names: SecretNames
    private(set) var pseudonyms = Pseudonyms()
    /// The secrets to replace at all of their occurrences, with their kinds.
    private(set) var recurring: [String: String] = [:]

    /// The number of secrets found so far.
    private var met = 0
    /// The levels of the body in work.
    private var depth = 0

    /// Words that are too common elsewhere.
    private static let common: Set<String> = [
        "true", "false", "null", "none", "undefined", "default", "basic", "bearer", "token", "password", "secret",
        "string", "number", "text", "user", "name", "test",
    ]

    /// The maximum length, in bytes, of a secret to replace at all of its occurrences: each has many spellings.
    static let longest = 8192

    init(_ names: SecretNames) {
        self.names = names
    }

    /// The pseudonym of a secret.
    mutating func pseudonym(of secret: String, kind: String) -> String {
        pseudonyms.pseudonym(of: secret, kind: recurring[secret] ?? kind)
    }

    /// - Parameter shortest: the minimum length, in bytes, of a secret to replace at all of its occurrences.
    private mutating func add(_ secret: some StringProtocol, _ kind: String, recursFrom shortest: Int = 4) {
        let secret = String(secret)
        guard !secret.isEmpty else { return }
        met += 1
        _ = pseudonym(of: secret, kind: kind)
        guard (shortest...Self.longest).contains(secret.utf8.count), !Self.common.contains(secret.lowercased()),
            !isYear(secret)
        else { return }
        if recurring[secret] == nil { recurring[secret] = kind }
    }

    /// Whether the text could be a year elsewhere.
    private func isYear(_ text: String) -> Bool {
        text.utf8.count == 4 && Int(text).map((1900..<2100).contains) == true
    }

    private mutating func addShapes(_ text: String) {
        for found in SecretShapes.found(in: text) { add(found.text, found.kind) }
        guard let inner = HiddenText.base64(text) else { return }
        // Base64 text with a secret inside is itself a secret.
        let known = met
        collect(inner, type: "")
        if met > known { add(text, "encoded text") }
    }

    // MARK: Collecting

    mutating func collect(_ exchange: RecordedExchange) {
        collect(path: exchange.path)
        if let query = exchange.query { collect(pairs: String(query), path: exchange.path) }
        for field in exchange.requestHeaders { collect(field) }
        for field in exchange.responseHeaders { collect(field) }
        collect(exchange.requestBody, type: exchange.requestHeaders[.contentType] ?? "")
        collect(exchange.responseBody, type: exchange.responseHeaders[.contentType] ?? "")
    }

    private mutating func collect(_ field: HTTPField) {
        let pieces = FieldPiece.all(in: field, names)
        for piece in pieces {
            guard let kind = piece.kind else { continue }
            add(piece.text, kind, recursFrom: piece.shortest)
            guard kind == "cookie", case let decoded = FormText.decode(piece.text[...]), decoded != piece.text else {
                continue
            }
            add(decoded, kind, recursFrom: piece.shortest)
        }
        if SecretPart.credentialFields.contains(field.name.canonicalName), pieces[0].text.lowercased() == "basic ",
            let bytes = Base64.decode(pieces[1].text)
        {
            let text = String(decoding: bytes, as: UTF8.self)
            if let colon = text.firstIndex(of: ":") { add(text[text.index(after: colon)...], "password") }
            addShapes(text)
        }
        guard pieces.count == 1, pieces[0].kind == nil else { return }
        addShapes(field.value)
        for (pair, _) in NamedTexts.assigned(in: field.value, isField: true) {
            if let kind = names.kind(of: pair.name) { add(pair.value, kind) }
        }
        for part in field.value.split(whereSeparator: { "<>,; \"'=".contains($0) }) where part.contains("/") {
            collect(path: part.prefix { $0 != "?" && $0 != "#" })
        }
    }

    /// Collects the segments after one such as `reset` or `token`, and the values of parameters in segments.
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

    private mutating func collect(pairs text: String, path: Substring = "") {
        let pairs = NamedValue.decoded(text)
        let areGrant = SecretNames.areGrant(pairs, path: path)
        for pair in pairs {
            if let kind = names.kind(of: pair, isInGrant: areGrant) {
                add(pair.value, kind)
            } else {
                addShapes(pair.value)
            }
        }
    }

    private mutating func collect(_ body: [UInt8], type: String) {
        guard !body.isEmpty, depth < HiddenText.mostDepth else { return }
        depth += 1
        defer { depth -= 1 }
        if let inflated = HiddenText.inflated(body) { return collect(inflated, type: "") }
        guard let text = String(validating: body, as: UTF8.self) else {
            let text = Latin1.text(body)
            // In pictures and similar files, texts that look like secrets occur by chance.
            collectNamed(text, Array(text.utf8), type: type)
            return
        }
        if !collectNamed(text, body, type: type) { addShapes(text) }
    }

    /// Collects the secrets of a body that have names.
    ///
    /// - Returns: whether to collect secrets without names too.
    @discardableResult
    private mutating func collectNamed(_ text: String, _ body: [UInt8], type: String) -> Bool {
        if let scalars = JSONScalars.of(body) {
            for scalar in scalars { collect(scalar) }
            let json = SourceText.withoutMark(body)
            if let value = try? JSONValue(parsing: json, depthLimit: JSONScalars.depthLimit) { collectVariables(value) }
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
        collectAssigned(text)
        let type = type.lowercased()
        if type.isEmpty || ["text/plain", "yaml", "toml", "properties"].contains(where: { type.contains($0) }) {
            collectLines(text)
        }
        if type.contains("csv") { for pair in NamedTexts.columns(in: text) { collect(pair, shortest: 1) } }
        if text.first(where: { !$0.isWhitespace }) == "<" {
            for element in NamedTexts.elements(in: text) {
                guard let kind = names.kind(of: element.name) else { continue }
                add(element.value, kind)
                add(NamedTexts.unescaped(element.value), kind)
            }
            for comment in NamedTexts.comments(in: text) { collectLines(comment) }
        }
        return false
    }

    /// Collects `"name": "value"`, `name=value` and similar pairs.
    private mutating func collectAssigned(_ text: String, shortest: Int = 8) {
        for (pair, isQuoted) in NamedTexts.assigned(in: text, isField: false) {
            guard let kind = names.kind(of: pair.name) else { continue }
            // Quoted words more often describe a secret than contain one.
            if !isQuoted || SecretShapes.isRandom(pair.value)
                || names.isValue(pair.value, of: pair.name, kind: kind, shortest: shortest)
            {
                add(pair.value, kind)
            }
        }
    }

    private mutating func collectLines(_ text: String) {
        for pair in NamedTexts.settings(in: text) { collect(pair, shortest: 4) }
        for pair in NamedTexts.lines(in: text) {
            if let parts = SecretPart.schemeAndCredentials(pair.value) {
                collect(NamedValue(name: pair.name, value: String(parts.credentials)), shortest: 4)
            } else {
                collect(pair, shortest: 4)
            }
        }
    }

    private mutating func collect(_ pair: NamedValue, shortest: Int) {
        guard let kind = names.kind(of: pair.name), !pair.value.contains(where: \.isWhitespace) else { return }
        let isOwn = names.isOwn(pair.name)
        if isOwn || SecretShapes.isRandom(pair.value) || pair.value.contains(where: \.isNumber)
            || names.isValue(pair.value, of: pair.name, kind: kind == "token" ? "secret" : kind, shortest: shortest)
        {
            add(pair.value, kind)
        }
    }

    private mutating func collect(_ scalar: JSONScalars.Scalar) {
        if let kind = SecretPart.kind(of: scalar, names) { return add(scalar.text, kind) }
        addShapes(scalar.text)
        // JSON or a query inside a text.
        guard scalar.isString, let first = scalar.text.utf8.first else { return }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            if let inner = JSONScalars.of(Array(scalar.text.utf8)) { return inner.forEach { collect($0) } }
        }
        for pair in NamedTexts.settings(in: scalar.text) { collect(pair, shortest: 4) }
        if scalar.text.contains("\"") || scalar.text.contains("'") {
            // An argument of GraphQL only has the quotes around its value.
            let isQuery = scalar.keys.last == "query" || scalar.keys.last == "mutation"
            collectAssigned(scalar.text, shortest: isQuery ? 4 : 8)
        }
        if !scalar.text.contains(" ") {
            if scalar.text.contains("/") { collect(path: scalar.text.prefix { $0 != "?" && $0 != "#" }) }
            guard let mark = scalar.text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return }
            collect(
                pairs: String(scalar.text[scalar.text.index(after: mark)...].prefix { $0 != "#" }),
                path: scalar.text[..<mark]
            )
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
