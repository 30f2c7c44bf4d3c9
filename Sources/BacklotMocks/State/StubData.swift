import Backlot

/// A stub's use of data: its conditions and its changes.
final class StubData: Sendable {
    /// A condition on a bucket, or on a part of it.
    struct Condition: Sendable {
        /// As the file has it: `cart`, `cart.items`, or `classes.{{path.id}}`.
        let path: String
        /// The steps after the bucket, which may have tags.
        private let steps: [Template]
        private let pattern: ContentPattern
        /// The matcher where it has tags, which are filled in for each request.
        private let tagged: ValueTemplate?
        /// The placeholders of the matcher in the file; values from a request make no others.
        private let placeholders: [String]
        /// Whether tags can leave out parts of the matcher, and repeat them.
        private let hasBlocks: Bool
        private let isObject: Bool

        fileprivate init(_ path: String, _ matcher: LocatedValue, _ reader: inout MockReader) throws(StubError) {
            self.path = path
            var steps: [Template] = []
            for step in path.dataSteps.dropFirst() { steps.append(try matcher.template(step, .own)) }
            self.steps = steps
            let value = try ValueTemplate(matcher, isMatcher: true)
            tagged = value.hasTags ? value : nil
            let sample = value.hasTags ? LocatedValue(matcher.value.withoutTags, at: matcher.path) : matcher
            placeholders = sample.value.placeholders
            isObject = matcher.value.object != nil
            hasBlocks = TemplateBuilder.hasBlocks(matcher.value)
            pattern = try ContentPattern(sample, &reader)
        }

        var bucket: String { String(path.prefix { $0 != "." }) }

        /// The part of the bucket's value that is meant: of a list of rows, the one with the key that a tag stands for.
        ///
        /// - Parameter key: the member that tells rows apart.
        func part(of value: JSONValue?, key: String, _ context: TemplateContext, limit: Int) -> JSONValue? {
            steps.reduce(value) { value, step in
                guard let value, let text = try? step.text(context, limit: limit) else { return nil }
                if step.constant == nil, let rows = value.array {
                    return rows.first { DataMatch([(key, .string(text))]).fits($0) }
                }
                return value.part(at: [text][...])
            }
        }

        /// The matcher for a request; nil where its tags make none.
        func pattern(_ context: TemplateContext, limit: Int) -> ContentPattern? {
            guard let tagged else { return pattern }
            // The JSON of a request is a value, never an operator.
            guard let filled = try? tagged.json(context, limit: limit), isObject == (filled.object != nil) else {
                return nil
            }
            let found = filled.placeholders
            guard hasBlocks ? found.allSatisfy(placeholders.contains) : found.count == placeholders.count else {
                return nil
            }
            var reader = MockReader(isForeign: false)
            return try? ContentPattern(LocatedValue(filled), &reader)
        }
    }

    let conditions: [Condition]
    let changes: [DataChange]
    /// The stub's place among the routes of a crud file; nil for other stubs.
    let crud: CrudRoute?
    /// Whether its templates need the user.
    let usesSession: Bool

    init(crud: CrudRoute) {
        (conditions, changes, usesSession) = ([], [], crud.match.contains { $0.value.usesSession })
        self.crud = crud
    }

    /// Reads `whenData` of a request and `data` beside a response; nil without both.
    init?(_ request: LocatedValue?, _ item: LocatedValue, _ reader: inout MockReader) throws(StubError) {
        var conditions: [Condition] = []
        for (path, value) in try request?["whenData"]?.members() ?? [] {
            conditions.append(try Condition(path, value, &reader))
        }
        var changes: [DataChange] = []
        for change in item["data"]?.each ?? [] { changes.append(try DataChange(change)) }
        guard !conditions.isEmpty || !changes.isEmpty else { return nil }
        self.conditions = conditions
        self.changes = changes
        crud = nil
        usesSession = changes.contains { $0.usesSession }
    }

    /// Whether the response must wait.
    var isSlow: Bool { crud != nil || usesSession }

    /// The buckets that it names, each once.
    var buckets: [String] {
        let names = conditions.map(\.bucket) + changed + (crud.map { [$0.bucket] } ?? [])
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The data that the templates of its changes name.
    var named: Set<String> {
        let own = crud?.match.map(\.value.named) ?? []
        return (own + changes.map(\.named)).reduce(into: []) { $0.formUnion($1) }
    }

    /// The buckets that it changes.
    var changed: [String] { changes.map(\.bucket) }
}

extension JSONValue {
    /// The texts that stand for any value of a kind, such as `${json-unit.any-string}`. A text may be JSON, and hold some.
    fileprivate var placeholders: [String] {
        switch self {
        case .string(let text) where JSONComparison.isPlaceholder(text): [text]
        case .string(let text) where text.contains("{json-unit."):
            (try? JSONValue(parsing: text)).map { $0.string == nil ? $0.placeholders : [] } ?? []
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let object): object.members.flatMap(\.value.placeholders)
        default: []
        }
    }

    /// The value with `0` in place of each tag, to check what stands around them.
    fileprivate var withoutTags: JSONValue {
        switch self {
        case .string(let text): return .string(text.replacing(/{{.*?}}+/, with: "0"))
        case .array(let elements): return .array(elements.map(\.withoutTags))
        case .object(let object):
            return .object(object.members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.withoutTags })
        default: return self
        }
    }
}

/// The data that the client of a request sees.
struct DataView: Sendable {
    /// No data at all.
    static let none = DataView()

    private let buckets: DataBuckets?
    let scope: ScenarioStates.Scope
    /// Values that aren't kept yet.
    private var values: [String: JSONValue]?

    /// - Parameter scope: the client's.
    init(buckets: DataBuckets?, scope: ScenarioStates.Scope) {
        self.buckets = buckets
        self.scope = scope
    }

    /// These values alone.
    init(values: [String: JSONValue] = [:]) {
        self.init(buckets: nil, scope: .shared)
        self.values = values
    }

    /// The same with changes that aren't kept yet.
    func seeing(_ draft: DataDraft) -> DataView {
        var view = self
        view.values = draft.parts.mapValues(\.content.value)
        return view
    }

    /// The value of a bucket; nil for an unknown bucket.
    func value(_ name: String) -> JSONValue? { values?[name] ?? buckets?.value(name, in: scope) }
}

extension Stub {
    /// The data that its response names in tags.
    var namedData: Set<String> {
        response.headers.reduce(response.body.template?.data ?? []) { $0.union($1.value.data) }
    }

    /// Its use of undeclared data.
    ///
    /// - Parameter names: the data that is.
    func unknownData(_ names: Set<String>) -> [MockFileError] {
        guard case .file(let file, let line) = source else { return [] }
        let named = namedData.union(data?.buckets ?? []).union(data?.named ?? [])
        return named.subtracting(names).sorted().map { name in
            let hint = Suggestion.hint(for: name, among: names.sorted())
            return MockFileError(
                file,
                TextPosition(line: line),
                "no file declares the data '\(name)'\(hint); write data/\(name).yaml, with rows: or value:"
            )
        }
    }
}
