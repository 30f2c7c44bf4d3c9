import Backlot
import BacklotJSON
import HTTPTypes

/// A change that a route makes to a bucket before it answers.
struct DataChange: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Adds a row.
        case insert
        /// Replaces rows, or a part of the document.
        case update
        /// Merges into rows, or into a part of the document (RFC 7396).
        case patch
        /// Removes rows, or a part of the document.
        case remove

        /// The key that names the bucket.
        var preposition: String {
            switch self {
            case .insert: "into"
            case .update, .patch: "in"
            case .remove: "from"
            }
        }

        var keys: [String] {
            switch self {
            case .insert: ["into", "path", "value"]
            case .update, .patch: ["in", "path", "where", "value", "orInsert", "optional"]
            case .remove: ["from", "path", "where", "optional"]
            }
        }
    }

    let kind: Kind
    let bucket: String
    /// Where in the bucket; empty for all of it.
    private let path: [Template]
    /// Which rows are meant; nil for all.
    private let match: [(key: String, value: ValueTemplate)]?
    private let value: ValueTemplate?
    private let otherwise: ValueTemplate?
    /// Whether it is in order that no row is there.
    private let isOptional: Bool

    /// Reads one change: `insert: {into: cart, value: {…}}`.
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        let members = try field.members()
        guard members.count == 1, let (word, body) = members.first, let kind = Kind(rawValue: word) else {
            let known = Kind.allCases.map(\.rawValue)
            let unknown = members.first { !known.contains($0.key) }
            let hint = unknown.map { Suggestion.hint(for: $0.key, among: known) } ?? ""
            throw StubProblem("a change is one of \(known.alternatives)\(hint)", at: (unknown?.field ?? field).path)
        }
        self.kind = kind
        try reading.check(body, knows: kind.keys)
        guard let bucket = body[kind.preposition] else {
            throw body.problem("the key '\(kind.preposition)' is missing: the name of the data, such as cart")
        }
        self.bucket = try bucket.string()
        path = try body["path"].map { field throws(StubProblem) in try Self.path(field) } ?? []
        if let rule = body["where"] {
            var match: [(key: String, value: ValueTemplate)] = []
            for (key, field) in try rule.members() { match.append((key, try ValueTemplate(field))) }
            self.match = match
        } else {
            match = nil
        }
        value = try body["value"].map { field throws(StubProblem) in try ValueTemplate(field) }
        otherwise = try body["orInsert"].map { field throws(StubProblem) in try ValueTemplate(field) }
        isOptional = try body["optional"]?.bool() ?? false
        if kind != .remove, value == nil { throw body.problem("the key 'value' is missing: what to write") }
    }

    /// The steps between the dots; each may have tags, which separate nothing.
    private static func path(_ field: Field) throws(StubProblem) -> [Template] {
        var steps: [Template] = []
        for step in try field.text().split(separator: ".", omittingEmptySubsequences: false) {
            guard !step.isEmpty else { throw field.problem("a step is empty; write a path such as address.city") }
            steps.append(try field.template(String(step), .mustache))
        }
        return steps
    }

    /// The data that its templates name.
    var named: Set<String> {
        let values = (match ?? []).map(\.value) + [value, otherwise].compactMap(\.self)
        return values.reduce(into: path.reduce(into: []) { $0.formUnion($1.data) }) { $0.formUnion($1.named) }
    }

    var usesSession: Bool {
        path.contains { $0.usesSession } || match?.contains { $0.value.usesSession } == true
            || value?.usesSession == true || otherwise?.usesSession == true
    }

    // MARK: Making the change

    /// Changes a draft. `fill` says what templates stand for.
    func apply(to draft: inout DataDraft, _ context: TemplateContext, limit: Int) throws(DataProblem) {
        var context = context
        let (seen, name) = (draft, bucket)
        context.data = context.data.seeing(seen)
        let steps = try fill { () throws(TemplateTooLarge) in
            var steps: [String] = []
            for step in path { steps.append(try step.text(context, limit: limit)) }
            return steps
        }
        let filled = try DataMatch(match, context, limit: limit)
        try draft.change(name) { bucket, content throws(DataProblem) in
            if steps.isEmpty, bucket.isList, kind == .insert {
                let row = try value.map { value throws(DataProblem) in try value.json(context, limit: limit) } ?? .null
                return try append(row, bucket, &content)
            }
            var place = DataPlace(steps, in: content.value, of: name)
            try place.change { value throws(DataProblem) in
                try self.change(&value, bucket, filled, context, limit)
            }
            if let row = place.missed {
                return try append(row, bucket, &content)
            }
            content.set(place.root, key: bucket.key)
            if !bucket.isList {
                try bucket.check(place.root)
            } else if steps.isEmpty {
                for row in place.changed { try bucket.check(row) }
            } else {
                for row in content.rows { try bucket.check(row) }
            }
        }
    }

    private func append(_ row: JSONValue, _ bucket: DataBucket, _ content: inout DataContent) throws(DataProblem) {
        guard let object = row.object else {
            throw DataProblem(.unprocessableContent, "a row of '\(bucket.name)' is an object, not \(row.excerpt)")
        }
        try bucket.check(try content.append(object, key: bucket.key, bucket.ids))
    }

    private func change(
        _ place: inout DataPlace.Part,
        _ bucket: DataBucket,
        _ match: DataMatch?,
        _ context: TemplateContext,
        _ limit: Int
    ) throws(DataProblem) {
        func new(_ old: JSONValue?) throws(DataProblem) -> JSONValue {
            guard let value else { return .null }
            var context = context
            context.row = old
            let new = try value.json(context, limit: limit)
            return kind == .patch ? (old ?? .null).merged(with: new) : new
        }
        if kind == .insert {
            guard var rows = place.value?.array else {
                throw DataProblem(.conflict, "the data '\(bucket.name)' has no list at '\(place.path)' to insert into")
            }
            rows.append(try new(nil))
            place.value = .array(rows)
            return
        }
        guard match != nil || place.isRoot && bucket.isList else {
            if place.value == nil, kind == .remove {
                throw DataProblem(.notFound, "the data '\(bucket.name)' has nothing at '\(place.path)'")
            }
            if kind == .remove {
                place.value = place.isRoot ? bucket.initial.value : nil
            } else {
                place.value = try new(place.value)
            }
            return
        }
        guard let rows = place.value?.array else {
            throw DataProblem(.conflict, "the data '\(bucket.name)' has no rows at '\(place.path)'")
        }
        var kept: [JSONValue] = []
        var count = 0
        for row in rows {
            guard match?.fits(row) ?? true else {
                kept.append(row)
                continue
            }
            count += 1
            guard kind != .remove else { continue }
            let changed = try new(row).keeping(bucket.key, of: row)
            place.changed.append(changed)
            kept.append(changed)
        }
        if count == 0, let match {
            guard let otherwise else {
                if isOptional { return }
                throw DataProblem(.notFound, "no row of '\(bucket.name)' has \(match)")
            }
            place.missed = try otherwise.json(context, limit: limit)
            if place.isRoot { return }
            kept.append(place.missed ?? .null)
            place.missed = nil
        }
        place.value = .array(kept)
    }
}

/// A value with tags in its strings and keys.
struct ValueTemplate: Sendable {
    private let template: Template?
    private let constant: JSONValue

    init(_ field: Field) throws(StubProblem) {
        constant = field.value
        if case .template(let template) = try field.body(document: field.value, tags: .mustache) {
            self.template = template
        } else {
            template = nil
        }
    }

    var usesSession: Bool { template?.usesSession ?? false }

    var named: Set<String> { template?.data ?? [] }

    func json(_ context: TemplateContext, limit: Int) throws(DataProblem) -> JSONValue {
        guard let template else { return constant }
        let bytes = try fill { () throws(TemplateTooLarge) in try template.bytes(context, limit: limit) }
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw DataProblem(.internalServerError, "the value isn't JSON once its tags are filled in: \(error)")
        }
    }
}

/// Fills in a template for data.
private func fill<Result>(_ body: () throws(TemplateTooLarge) -> Result) throws(DataProblem) -> Result {
    do throws(TemplateTooLarge) {
        return try body()
    } catch {
        let text = "filling in a template of the data takes more than \(error.limit) bytes, which is the limit"
        throw DataProblem(.internalServerError, text)
    }
}

/// Which rows are meant: those whose members have these values, as texts.
struct DataMatch: CustomStringConvertible {
    private let values: [(key: String, value: JSONValue)]

    init(_ values: [(key: String, value: JSONValue)]) {
        self.values = values
    }

    fileprivate init?(
        _ templates: [(key: String, value: ValueTemplate)]?,
        _ context: TemplateContext,
        limit: Int
    ) throws(DataProblem) {
        guard let templates else { return nil }
        var values: [(key: String, value: JSONValue)] = []
        for (key, template) in templates { values.append((key, try template.json(context, limit: limit))) }
        self.values = values
    }

    func fits(_ row: JSONValue) -> Bool { values.allSatisfy { Self.isSame(row[$0.key], $0.value) } }

    /// Whether two values are the same; a parameter of a path is a text, where the row may have a number.
    static func isSame(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        guard let left else { return right.isNull }
        return left == right || Subject.json(left).text == Subject.json(right).text
    }

    var description: String { values.map { "the \($0.key) \($0.value.excerpt)" }.joined(separator: " and ") }
}

extension JSONValue {
    /// This value after a merge patch (RFC 7396).
    func merged(with patch: JSONValue) -> JSONValue {
        guard let patch = patch.object else { return patch }
        var object = self.object ?? [:]
        for member in patch.members {
            let old = object[member.key] ?? .null
            object[member.key] = member.value.isNull ? JSONValue?.none : old.merged(with: member.value)
        }
        return .object(object)
    }

    /// A row that has the key of the one before it, unless it names another.
    fileprivate func keeping(_ key: String, of row: JSONValue) -> JSONValue {
        guard var object, object[key] == nil, let old = row[key] else { return self }
        object[key] = old
        return .object(object)
    }
}
