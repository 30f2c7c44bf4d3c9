import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Logging

/// What a stub has to do with data: when it answers, and what it changes.
final class StubData: Sendable {
    /// A condition on a bucket, or on a part of it.
    struct Condition: Sendable {
        /// As the file has it: `cart`, or `cart.items`.
        let path: String
        let pattern: ContentPattern

        var bucket: String { String(path.prefix { $0 != "." }) }
    }

    let conditions: [Condition]
    let changes: [DataChange]
    /// The stub's place among the routes of a crud file; nil for other stubs.
    let crud: CrudRoute?
    /// Whether its templates need the user.
    let usesSession: Bool

    init(crud: CrudRoute) {
        (conditions, changes, usesSession) = ([], [], false)
        self.crud = crud
    }

    /// Reads `whenData` of a request and `data` beside an answer; nil where neither is there.
    init?(_ request: Field?, _ item: Field, _ reading: inout StubReading) throws(StubProblem) {
        var conditions: [Condition] = []
        for (path, field) in try request?["whenData"]?.members() ?? [] {
            conditions.append(Condition(path: path, pattern: try ContentPattern(field, &reading)))
        }
        var changes: [DataChange] = []
        if let field = item["data"] {
            for element in field.value.array == nil ? [field] : try field.elements() {
                changes.append(try DataChange(element, &reading))
            }
        }
        guard !conditions.isEmpty || !changes.isEmpty else { return nil }
        self.conditions = conditions
        self.changes = changes
        crud = nil
        usesSession = changes.contains { $0.usesSession }
    }

    /// Whether it can't be answered at once.
    var isSlow: Bool { crud != nil || usesSession }

    /// The buckets that it names, each once.
    var buckets: [String] {
        let names = conditions.map(\.bucket) + changed + (crud.map { [$0.bucket] } ?? [])
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The data that the templates of its changes name.
    var named: Set<String> { changes.reduce(into: []) { $0.formUnion($1.named) } }

    /// The buckets that it changes.
    var changed: [String] { changes.map(\.bucket) }
}

/// The data that the client of a request sees.
struct DataView: Sendable {
    /// No data at all.
    static let none = DataView()

    private let buckets: DataBuckets?
    private let scope: ScenarioStates.Scope
    private let isShared: Bool
    /// Values that aren't kept yet.
    private var values: [String: JSONValue]?

    /// - Parameters:
    ///   - scope: the client's; the shared one where it isn't known yet.
    ///   - isShared: whether all clients share their data.
    init(buckets: DataBuckets?, scope: ScenarioStates.Scope, isShared: Bool) {
        self.buckets = buckets
        self.scope = scope
        self.isShared = isShared
    }

    /// These values alone.
    init(values: [String: JSONValue] = [:]) {
        self.init(buckets: nil, scope: .shared, isShared: true)
        self.values = values
    }

    /// The same with changes that aren't kept yet.
    func seeing(_ draft: DataDraft) -> DataView {
        var view = self
        view.values = draft.parts.mapValues(\.content.value)
        return view
    }

    /// What a bucket holds; nil for an unknown bucket.
    func value(_ name: String, for request: MockRequest) -> JSONValue? {
        if let value = values?[name] { return value }
        return buckets?.value(name, in: scope == .shared && !isShared ? request.scope : scope)
    }
}

extension MockBackend {
    /// Data of more bytes is changed where no event loop waits for it.
    private static let largeData = 64 * 1024

    /// The scope whose data a stub's client sees.
    func dataScope(_ choice: StubChoice, _ request: MockRequest) -> ScenarioStates.Scope {
        choice.scope == .shared ? scope(of: request) : choice.scope
    }

    /// Whether the data is as a stub asks.
    func meets(_ data: StubData, _ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        data.conditions.allSatisfy { $0.pattern.matches(subject($0, request), &budget) }
    }

    /// Which conditions on data a request doesn't meet.
    func failures(of data: StubData, _ request: MockRequest, _ budget: inout MatchBudget) -> [Match.Failure] {
        data.conditions.compactMap { condition in
            let subject = subject(condition, request)
            guard !condition.pattern.matches(subject, &budget) else { return nil }
            return .init(subject: "data \(condition.path)", expected: "\(condition.pattern)", actual: subject.shown)
        }
    }

    private func subject(_ condition: StubData.Condition, _ request: MockRequest) -> Subject {
        let steps = condition.path.split(separator: ".").map(String.init)
        var value = steps.first.flatMap { data.value($0, in: scope(of: request)) }
        for step in steps.dropFirst() { value = value?[step] ?? Int(step).flatMap { value?[$0] } }
        return value.map(Subject.json) ?? .absent
    }

    /// Whether a stub changes what belongs to the client alone.
    func changesOwnData(_ choice: StubChoice, _ method: HTTPRequest.Method) -> Bool {
        guard let stub = choice.entry.data else { return false }
        let names = stub.crud.map { $0.changes(by: method) ? [$0.bucket] : [] } ?? stub.changed
        return names.contains { data.bucket($0)?.sharing == .client }
    }

    /// Whether a stub's data is too much for an event loop.
    func hasLargeData(_ choice: StubChoice, _ request: MockRequest) -> Bool {
        guard let stub = choice.entry.data else { return false }
        return request.body.count > Self.largeData
            || stub.buckets.contains { data.size($0, in: dataScope(choice, request)) > Self.largeData }
    }

    /// Makes the changes of a stub.
    ///
    /// - Returns: why they can't be made, as an answer; nil when they were.
    func change(_ choice: StubChoice, _ context: TemplateContext) -> Response? {
        guard let stub = choice.entry.data, !stub.changes.isEmpty else { return nil }
        do throws(DataProblem) {
            try data.change(stub.changed, in: dataScope(choice, context.request)) { draft throws(DataProblem) in
                for change in stub.changes {
                    try change.apply(to: &draft, context, limit: configuration.templateLimit)
                }
            }
            return nil
        } catch {
            if error.status.kind == .serverError { logger.error("\(choice.stub.source): \(error.text)") }
            return .text(error.text, status: error.status)
        }
    }
}

extension Stub {
    /// What it has to do with data that isn't declared.
    ///
    /// - Parameter names: the data that is.
    func unknownData(_ names: Set<String>) -> [FileProblem] {
        guard case .file(let file, let line) = source else { return [] }
        let tags = answer.headers.reduce(answer.body.data) { $0.union($1.value.data) }
        let named = tags.union(data?.buckets ?? []).union(data?.named ?? [])
        return named.subtracting(names).sorted().map { name in
            let hint = Suggestion.hint(for: name, among: names.sorted())
            return FileProblem(
                file,
                TextPosition(line: line),
                "no file declares the data '\(name)'\(hint); write data/\(name).yaml, with rows: or value:"
            )
        }
    }
}
