package import Backlot

/// Compares documents of mocks with the vocabulary of their kinds, and collects notes while they are read.
package struct MockReader {
    /// Whether it reads a document in WireMock's form. Unknown keys there cause a warning, except in conditions: a stub without a
    /// condition would match more requests than it should.
    let isForeign: Bool
    /// The protocol of pages; nil if pages aren't possible.
    var pages: PageFormat?
    /// The folder below which responses may name files for their bodies; nil if they can't.
    var folder: RoutesFolder?
    /// The files that were named, by their paths below the folder.
    private(set) var bodyFiles: [String] = []
    /// Parts that may not do what their author expects.
    private(set) var warnings: [StubError] = []

    package init(isForeign: Bool) {
        self.isForeign = isForeign
    }

    /// Notes a part that may not do what its author expects.
    mutating func warn(_ problem: StubError) { warnings.append(problem) }

    /// Refuses keys that the kind of a role doesn't have, except those that may be ignored.
    mutating func check(_ value: LocatedValue, as role: Role) throws(StubError) {
        if let first = problems(in: value, as: role).first { throw first }
    }

    /// The keys of a value that the kind of its role doesn't have; keys that may be ignored become warnings.
    mutating func problems(in located: LocatedValue, as role: Role) -> [StubError] {
        let vocabulary = MockVocabulary.all
        guard let kind = vocabulary.kinds(as: role).first else { return [] }
        var reader = DocumentReader(vocabulary, for: vocabulary.audiences[0])
        let isForeign = isForeign
        // A stub without conditions would match every request: its conditions may be under a misspelt key.
        let isUnconditional = located["request"] == nil
        reader.refusesUnknownKeys = { role in
            !isForeign || MockVocabulary.conditions.contains(role) || role == .mapping && isUnconditional
        }
        reader.read(located.value, as: kind)
        var errors: [StubError] = []
        // A missing key is there, but misspelt.
        var misspelt: Set<[StubError.Step]> = []
        for finding in reader.remarks.findings(in: reader.tree, name: "") {
            let steps = located.value.steps(of: finding.path.pointer)
            let isAboutKey = finding.rule == "unknown-key"
            // WireMock's clients send missing values as null.
            if isForeign, isAboutKey, located.value.value(at: steps)?.isNull == true { continue }
            let text = "\(finding.message) \(finding.fix)"
            let problem = StubError(text, at: located.path + steps, isAboutKey: isAboutKey)
            guard finding.severity == .error else {
                warn(problem)
                continue
            }
            errors.append(problem)
            if isAboutKey { misspelt.insert(Array(problem.path.dropLast())) }
        }
        return errors.filter { $0.isAboutKey || !misspelt.contains($0.path) }
    }

    /// The bytes of a file named by a field.
    mutating func bodyFile(_ field: LocatedValue) throws(StubError) -> [UInt8] {
        guard let folder else { throw field.problem("files aren't possible here; write the body itself") }
        let name = try field.string()
        guard !name.contains("{{") else {
            throw field.problem("a file's name has no tags here; name one file, or several responses with one each")
        }
        let path = "__files/\(name.hasPrefix("/") ? String(name.dropFirst()) : name)"
        bodyFiles.append(path)
        do throws(MessageError) {
            return try folder.read(path)
        } catch {
            let names = folder.list()?.files.keys.filter { $0.hasPrefix("__files/") }.sorted() ?? []
            let near = names.contains(path) ? nil : Suggestion.nearest(to: path, among: names)
            let hint = near.map { "; did you mean '\($0.dropFirst("__files/".count))'?" } ?? ""
            throw field.problem("\(path) \(error)\(hint)")
        }
    }

    /// Refuses keys other than these.
    package func refuse(_ value: LocatedValue, but keys: [String]) throws(StubError) {
        for (key, member) in try value.members() where !keys.contains(key) && !(isForeign && member.value.isNull) {
            let text = "there is no key '\(key)'\(Suggestion.hint(for: key, among: keys))"
            throw member.keyProblem("\(text); the keys here are \(keys.joined(separator: ", "))")
        }
    }
}

/// A part of a document, and the way to it, for errors.
package struct LocatedValue {
    package let value: JSONValue
    package let path: [StubError.Step]

    package init(_ value: JSONValue, at path: [StubError.Step] = []) {
        self.value = value
        self.path = path
    }

    /// The member of an object; nil if it is missing or null.
    package subscript(key: String) -> LocatedValue? {
        guard let member = value[key], !member.isNull else { return nil }
        return LocatedValue(member, at: path + [.key(key)])
    }

    package func problem(_ text: String) -> StubError { StubError(text, at: path) }

    /// A problem with the key under which the value stands.
    func keyProblem(_ text: String) -> StubError { StubError(text, at: path, isAboutKey: true) }

    private func unexpected(_ expected: String) -> StubError {
        problem("\(value.kind) stands where \(expected) belongs")
    }

    // MARK: As one type

    package func object() throws(StubError) -> JSONObject {
        guard let object = value.object else { throw unexpected("an object, such as {\"key\": …},") }
        return object
    }

    /// The members of an object, in their order.
    package func members() throws(StubError) -> [(key: String, field: LocatedValue)] {
        try object().members.map { ($0.key, LocatedValue($0.value, at: path + [.key($0.key)])) }
    }

    package func elements() throws(StubError) -> [LocatedValue] {
        guard let elements = value.array else { throw unexpected("a list") }
        return elements.enumerated().map { LocatedValue($0.element, at: path + [.index($0.offset)]) }
    }

    /// The elements of a list, or only the value.
    var each: [LocatedValue] { (try? elements()) ?? [self] }

    package func string() throws(StubError) -> String {
        guard let string = value.string else { throw unexpected("a text in quotes") }
        return string
    }

    /// A text, or a number or boolean as a text: in YAML they are easily confused.
    func text() throws(StubError) -> String {
        switch value {
        case .string(let string): return string
        case .number, .bool: return value.description
        default: throw unexpected("a text")
        }
    }

    package func bool() throws(StubError) -> Bool {
        guard let bool = value.bool else { throw unexpected("true or false") }
        return bool
    }

    /// One of a few words.
    package func word(of words: [String]) throws(StubError) -> String {
        let text = try string()
        guard !words.contains(text) else { return text }
        throw problem(
            "'\(text)' is not known here; write \(words.alternatives)\(Suggestion.hint(for: text, among: words))"
        )
    }
}

extension JSONValue {
    /// The kind of the value, with its article.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value as JSON, shortened if it is long.
    package var excerpt: String { description.excerpt(upTo: 80) }

    /// An integer; nil for other values.
    var int: Int? { number?.int64.map { Int($0) } }

    /// One of a type's words; nil for other values.
    func word<Word: RawRepresentable>(_ type: Word.Type = Word.self) -> Word? where Word.RawValue == String {
        string.flatMap { Word(rawValue: $0) }
    }
}
