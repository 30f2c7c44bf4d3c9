import Backlot
import BacklotMocks

/// Replaces the secrets of a recording by pseudonyms. Equal secrets get the same pseudonym, so that flows still work.
package struct Redaction: Sendable {
    private let names: SecretNames
    private var findings = Tally<String>()
    /// The pseudonyms in the recording.
    package private(set) var pseudonyms: Set<String> = []

    /// Creates a redaction.
    ///
    /// - Parameter keys: the names of further secret keys, fields, parameters, header fields and variables.
    package init(keys: [String] = []) {
        names = SecretNames(keys)
    }

    /// The replacements: a line for each kind and location, without the secrets.
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

/// Rewrites exchanges with pseudonyms in place of known secrets.
struct RedactionRun {
    private var secrets: FoundSecrets
    private let replacement: SecretReplacement
    /// The kinds and locations of the replaced secrets.
    private(set) var notes: [(kind: String, place: String)] = []
    private var title = ""
    /// The levels of the body in work.
    private var depth = 0

    /// The pseudonyms used so far.
    var pseudonyms: Dictionary<String, String>.Values { secrets.pseudonyms.all.values }

    init(_ secrets: FoundSecrets) {
        self.secrets = secrets
        replacement = SecretReplacement(secrets.pseudonyms.all, kinds: secrets.recurring)
    }

    mutating func redacted(_ exchange: RecordedExchange) -> RecordedExchange {
        var exchange = exchange
        let kept = notes.count
        let path = path(exchange.path)
        title = "\(exchange.method.rawValue) \(path)"
        // The title, which is only known now, completes the notes about the path.
        for index in kept..<notes.count { notes[index].place = "\(title), path" }
        exchange.url = exchange.query.map { "\(path)?\(pairs(String($0), "query"))" } ?? path
        exchange.requestHeaders = fields(exchange.requestHeaders, "request's header")
        exchange.responseHeaders = fields(exchange.responseHeaders, "response's header")
        let types = [exchange.requestHeaders[.contentType] ?? "", exchange.responseHeaders[.contentType] ?? ""]
        exchange.requestBody = body(exchange.requestBody, type: types[0], "request's body")
        exchange.responseBody = body(exchange.responseBody, type: types[1], "response's body")
        exchange.client = exchange.client.map { replacement.replaced($0) }
        return exchange
    }

    private mutating func note(_ kind: String, _ part: String) {
        notes.append((kind, "\(title), \(part)"))
    }

    private mutating func pseudonym(_ secret: String, _ kind: String, _ part: String) -> String {
        guard !secret.isEmpty else { return secret }
        let isLong = secret.utf8.count > FoundSecrets.longest
        note(isLong ? "\(kind) (replaced only here, as it has more than 8 KB)" : kind, part)
        return secrets.pseudonym(of: secret, kind: kind)
    }

    private mutating func replaced(_ text: String, _ part: String) -> String {
        String(decoding: replaced(Array(text.utf8), part), as: UTF8.self)
    }

    private mutating func replaced(_ bytes: [UInt8], _ part: String) -> [UInt8] {
        let result = replacement.replaced(bytes)
        let place = "\(title), \(part)"
        notes += result.kinds.map { ($0, place) }
        return result.bytes
    }

    /// Redacts a text in any encoding.
    private mutating func replaced(
        _ encoded: Substring,
        _ part: String,
        decode: (Substring) -> String,
        encode: (String) -> String
    ) -> String {
        let plain = decode(encoded)
        let other = replaced(plain, part)
        return other == plain ? replaced(String(encoded), part) : encode(other)
    }

    // MARK: Parts

    private mutating func path(_ path: Substring) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            replaced(segment, "path", decode: { PercentDecoding.repair($0.utf8.span) }, encode: PercentEncoding.segment)
        }
        .joined(separator: "/")
    }

    private mutating func fields(_ fields: HTTPFields, _ part: String) -> HTTPFields {
        var result = HTTPFields()
        for field in fields {
            let value = value(of: field, "\(part) \(field.name.rawName)")
            if HTTPField.isValidValue(value) { result.append(HTTPField(name: field.name, value: value)) }
        }
        return result
    }

    private mutating func value(of field: HTTPField, _ part: String) -> String {
        FieldPiece.all(in: field, secrets.names).map { piece in
            if let kind = piece.kind { return pseudonym(piece.text, kind, part) }
            return piece.isFixed ? piece.text : replaced(piece.text, part)
        }
        .joined()
    }

    private mutating func pairs(_ text: String, _ part: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "="), case let name = FormText.decode(pair[..<equals]),
                let kind = secrets.names.kind(of: name)
            else {
                return pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    replaced($0, part, decode: { FormText.decode($0) }, encode: FormText.encode)
                }
                .joined(separator: "=")
            }
            let value = FormText.decode(pair[pair.index(after: equals)...])
            return "\(pair[...equals])\(FormText.encode(pseudonym(value, kind, "\(part) parameter \(name)")))"
        }
        .joined(separator: "&")
    }

    private mutating func body(_ body: [UInt8], type: String, _ part: String) -> [UInt8] {
        guard !body.isEmpty else { return body }
        guard depth < HiddenText.mostDepth else {
            note("data nested too deep to look for secrets, left out", part)
            return []
        }
        depth += 1
        defer { depth -= 1 }
        let plain = type.prefix { $0 != ";" }.trimmed.lowercased()
        if let inflated = HiddenText.inflated(body) {
            let redacted = self.body(inflated, type: "", part)
            guard redacted != inflated else { return body }
            if let deflated = HiddenText.deflated(redacted) { return deflated }
            note("gzip file with secrets, left out", part)
            return []
        }
        if let parts = FormPart.parts(of: body, type: type) { return form(body, parts, part) }
        guard let text = String(validating: body, as: UTF8.self) else {
            let text = Array(Latin1.text(body).utf8)
            let isText = plain.hasPrefix("text/") || plain.hasSuffix("xml") || plain.hasSuffix("javascript")
            if isText || plain == "application/x-www-form-urlencoded" || JSONScalars.of(text) != nil
                || JSONScalars.ofLines(text) != nil
            {
                let redacted = self.body(text, type: type, part)
                return Latin1.bytes(String(decoding: redacted, as: UTF8.self)) ?? redacted
            }
            // In pictures and similar files, short texts occur by chance.
            return replacement.isIn(body, onlyLong: true) ? replaced(body, part) : body
        }
        // Some clients send JSON with the type of a form.
        if plain == "application/x-www-form-urlencoded", JSONScalars.of(body) == nil {
            return Array(pairs(text, part).utf8)
        }
        guard let scalars = JSONScalars.of(body) ?? JSONScalars.ofLines(body) else { return replaced(body, part) }
        var result: [UInt8] = []
        var from = 0
        for scalar in scalars {
            guard let kind = SecretPart.kind(of: scalar, secrets.names), !scalar.text.isEmpty else { continue }
            result += replaced(Array(body[from..<scalar.range.lowerBound]), part)
            let other = pseudonym(scalar.text, kind, "\(part), key \(scalar.keys.last ?? "")")
            result += scalar.isString ? JSONValue.string(other).bytes : Array(number(other).utf8)
            from = scalar.range.upperBound
        }
        return result + replaced(Array(body[from...]), part)
    }

    /// Redacts a form with files, part by part.
    private mutating func form(_ body: [UInt8], _ parts: [FormPart], _ part: String) -> [UInt8] {
        var result: [UInt8] = []
        var from = 0
        for own in parts {
            result += replaced(Array(body[from..<own.range.lowerBound]), part)
            if let kind = secrets.names.kind(of: own.name) {
                result += Array(pseudonym(Latin1.utf8(own.body), kind, "\(part), part \(own.name)").utf8)
            } else {
                result += self.body(own.body, type: own.type, part)
            }
            from = own.range.upperBound
        }
        return result + replaced(Array(body[from...]), part)
    }

    /// A pseudonym in place of a JSON number: a number if it is one, otherwise a string.
    private func number(_ pseudonym: String) -> String {
        (try? JSONValue(parsing: Array(pseudonym.utf8)))?.number == nil ? "\"\(pseudonym)\"" : pseudonym
    }
}
