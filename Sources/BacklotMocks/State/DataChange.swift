import Backlot

/// A change that a route makes to a bucket before its response.
struct DataChange: Sendable {
    enum Operation: String, Sendable, CaseIterable {
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

    }

    static let kinds = [
        Kind(
            "change",
            as: [.change],
            meaning,
            groups: [.exactlyOne("insert", "update", "patch", "remove")],
            keys: verbs
        ),
        Kind("insert", as: [.insert], "A row that is added.", keys: [name("into"), part, new]),
        Kind("update", as: [.update], "Rows, or a part, that are replaced.", keys: updateKeys),
        Kind("remove", as: [.remove], "Rows, or a part, that are removed.", keys: [name("from"), part] + rows),
        DataBucket.limitsKind,
    ]
    private static let meaning = "A change of a bucket of data, before the response."
    private static let verbs: [Key] = [
        .optional("insert", .object(.insert), "Adds a row."),
        .optional("update", .object(.update), "Replaces rows, or a part of the document."),
        .optional("patch", .object(.update), "Merges into rows, or into a part of the document."),
        .optional("remove", .object(.remove), "Removes rows, or a part of the document."),
    ]
    private static let updateKeys =
        [name("in"), part, new, .optional("orInsert", .any, "The row that is added if none exists.")] + rows
    private static let part = Key.optional("path", .scalar, "The part to change, such as address.city.")
    private static let new = Key.required("value", .any, "What is written.")
    private static let rows: [Key] = [
        .optional("where", .map(.any), "The values of the rows to change; without it, all."),
        .optional("optional", .bool, "Whether there may be no such row.", default: false),
    ]
    private static let lists = ValueType.either([.objects(.change), .object(.change)])
    /// The key of stubs that lists changes.
    static let key = Key.optional("data", lists, "The changes of the data before the response.")

    private static func name(_ preposition: String) -> Key {
        .required(preposition, .string, "The name of the data, such as cart.")
    }

    let kind: Operation
    let bucket: String
    /// The place in the bucket; empty for the whole bucket.
    private let path: [Template]
    /// The conditions for rows; nil for all rows.
    private let match: [(key: String, value: ValueTemplate)]?
    private let value: ValueTemplate?
    private let otherwise: ValueTemplate?
    /// Whether rows may be missing.
    private let isOptional: Bool

    /// Reads one change with only the keys of its kind: `insert: {into: cart, value: {…}}`.
    init(_ change: LocatedValue) throws(StubError) {
        let kind = Operation.allCases.first { change[$0.rawValue] != nil } ?? .insert
        let body = change[kind.rawValue] ?? change
        self.kind = kind
        bucket = body.value[kind.preposition]?.string ?? ""
        var steps: [Template] = []
        if let path = body["path"] {
            for step in try path.text().dataSteps {
                guard !step.isEmpty, steps.count < 32 else {
                    throw path.problem("a step is empty, or there are more than 32; write a path such as address.city")
                }
                steps.append(try path.template(step, .own))
            }
        }
        path = steps
        var match: [(key: String, value: ValueTemplate)] = []
        for (key, value) in try body["where"]?.members() ?? [] { match.append((key, try ValueTemplate(value))) }
        self.match = body["where"] == nil ? nil : match
        func template(_ key: String) throws(StubError) -> ValueTemplate? {
            guard let value = body[key] else { return nil }
            return try ValueTemplate(value)
        }
        value = try template("value")
        otherwise = try template("orInsert")
        isOptional = body.value["optional"]?.bool ?? false
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

    /// Changes a draft.
    func apply(to draft: inout DataDraft, _ context: TemplateContext, limit: Int) throws(DataError) {
        var context = context
        let seen = draft
        context.data = context.data.seeing(seen)
        let filling = Filling(context: context, limit: limit)
        var steps: [String] = []
        for step in path { steps.append(try filling.text(step)) }
        let match = try match.map { rules throws(DataError) in try DataMatch(rules, context, limit: limit) }
        try draft.change(bucket) { bucket, content throws(DataError) in
            let place = steps.joined(separator: ".")
            let old = content.value.part(at: steps)
            var new: JSONValue?
            var changed: [JSONValue] = []
            if kind == .insert {
                if steps.isEmpty, bucket.isList {
                    return try append(try value?.json(filling) ?? .null, bucket, &content)
                }
                guard let rows = old?.array else {
                    throw DataError(.conflict, "the data '\(bucket.name)' has no list at '\(place)' to insert into")
                }
                new = .array(rows + [try self.new(nil, filling)])
            } else if match != nil || steps.isEmpty && bucket.isList {
                guard let rows = old?.array else {
                    throw DataError(.conflict, "the data '\(bucket.name)' has no rows at '\(place)'")
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
                    changed.append(try self.new(row, filling).keeping(bucket.key, of: row))
                    kept += changed.suffix(1)
                }
                if count == 0, let match {
                    guard let otherwise else {
                        if isOptional { return }
                        throw bucket.missing("no row of '\(bucket.name)' has \(match)")
                    }
                    let row = try otherwise.json(filling)
                    if steps.isEmpty { return try append(row, bucket, &content) }
                    kept.append(row)
                }
                new = .array(kept)
            } else if kind == .remove {
                guard old != nil else {
                    throw DataError(.notFound, "the data '\(bucket.name)' has nothing at '\(place)'")
                }
                new = steps.isEmpty ? bucket.initial.value : nil
            } else {
                new = try self.new(old, filling)
            }
            let root = try content.value.replacing(steps[...], with: new, of: bucket.name) ?? .null
            content.set(root, key: bucket.key)
            for value in bucket.isList ? steps.isEmpty ? changed : content.rows : [root] { try bucket.check(value) }
        }
    }

    private func append(_ row: JSONValue, _ bucket: DataBucket, _ content: inout DataContent) throws(DataError) {
        guard let object = row.object else {
            throw DataError(.unprocessableContent, "a row of '\(bucket.name)' is an object, not \(row.excerpt)")
        }
        try bucket.check(try content.append(bucket.completed(object), key: bucket.key, bucket.ids))
    }

    /// The new value in the place of an old one.
    private func new(_ old: JSONValue?, _ filling: Filling) throws(DataError) -> JSONValue {
        guard let value else { return .null }
        var filling = filling
        filling.context.row = old
        let new = try value.json(filling)
        return kind == .patch ? (old ?? .null).merged(with: new) : new
    }
}

/// Fills in the templates of a change.
private struct Filling {
    var context: TemplateContext
    let limit: Int

    func text(_ template: Template) throws(DataError) -> String {
        String(decoding: try bytes(template), as: UTF8.self).withFewMarks
    }

    func bytes(_ template: Template) throws(DataError) -> [UInt8] {
        let text = "filling in a template takes more than \(limit) bytes, which is the limit"
        return try mapErrors({ _ in DataError(.internalServerError, text) }) {
            try template.bytes(context, limit: limit)
        }
    }
}

/// A value with tags in its strings and keys.
struct ValueTemplate: Sendable {
    private let template: Template?
    private let constant: JSONValue

    /// - Parameter isMatcher: whether it is a matcher, whose JSON paths keep their meaning whatever the tags stand for.
    init(_ value: LocatedValue, isMatcher: Bool = false) throws(StubError) {
        constant = value.value
        template = try value.body(document: constant, isMatcher: isMatcher, tags: .own).template
    }

    /// A value with tags that nothing fills in.
    init(constant: JSONValue) { (template, self.constant) = (nil, constant) }

    var usesSession: Bool { template?.usesSession ?? false }
    var hasTags: Bool { template != nil }

    var named: Set<String> { template?.data ?? [] }

    /// The value as a body.
    var body: StubBody { template.map(StubBody.init) ?? .bytes(constant.bytes) }

    /// The value with samples in place of tags; nil if that isn't JSON.
    var sample: JSONValue? {
        guard let template else { return constant }
        return template.samples().lazy.compactMap { try? JSONValue(parsing: $0) }.first
    }

    /// The value for one request.
    func json(_ context: TemplateContext, limit: Int) throws(DataError) -> JSONValue {
        try json(Filling(context: context, limit: limit))
    }

    fileprivate func json(_ filling: Filling) throws(DataError) -> JSONValue {
        guard let template else { return constant }
        let bytes = try filling.bytes(template)
        let problem = "the value isn't JSON once its tags are filled in"
        return try mapErrors({ DataError(.internalServerError, "\(problem): \($0)") }) {
            try JSONValue(parsing: bytes)
        }
    }
}

/// The condition for rows: rows with members that have these values, compared as texts.
struct DataMatch: CustomStringConvertible {
    let values: [(key: String, value: JSONValue)]

    init(_ values: [(key: String, value: JSONValue)]) {
        self.values = values
    }

    /// - Parameter limit: the most bytes that filling in a template may take.
    init(
        _ rules: [(key: String, value: ValueTemplate)],
        _ context: TemplateContext,
        limit: Int
    ) throws(DataError) {
        var values: [(key: String, value: JSONValue)] = []
        for (key, rule) in rules { values.append((key, try rule.json(context, limit: limit))) }
        self.values = values
    }

    /// Many values, for finding the same one among them.
    struct Values {
        private var values: Set<JSONValue> = []
        private var texts: Set<String?> = []

        func contains(_ value: JSONValue) -> Bool {
            values.contains(value) || texts.contains(Subject.json(value).text)
        }

        mutating func insert(_ value: JSONValue) {
            values.insert(value)
            texts.insert(Subject.json(value).text)
        }
    }

    func fits(_ row: JSONValue) -> Bool { values.allSatisfy { Self.isSame(row[$0.key], $0.value) } }

    /// Whether two values are the same; a parameter of a path is a text, although the row may have a number.
    static func isSame(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        guard let left else { return right.isNull }
        return left == right || Subject.json(left).text == Subject.json(right).text
    }

    var description: String { values.map { "the \($0.key) \($0.value.excerpt)" }.joined(separator: " and ") }
}

extension String {
    /// The steps of a path in data, which may have tags: the parts between dots. Dots within tags separate nothing.
    var dataSteps: [String] {
        var (steps, openTags) = ([String](), 0)
        for part in split(separator: ".", omittingEmptySubsequences: false) {
            if openTags > 0 {
                steps[steps.count - 1] += ".\(part)"
            } else {
                steps.append(String(part))
                openTags = 0
            }
            openTags += part.ranges(of: "{{").count - part.ranges(of: "}}").count
        }
        return steps
    }
}

extension JSONValue {
    /// This value after a merge patch (RFC 7396).
    ///
    /// - Parameter removesNulls: whether null removes a member; otherwise it is an ordinary value.
    func merged(with patch: JSONValue, removesNulls: Bool = true) -> JSONValue {
        guard let patch = patch.object else { return patch }
        let object = (self.object ?? [:]).merged(with: patch) { old, new in
            removesNulls && new.isNull ? JSONValue?.none : (old ?? .null).merged(with: new, removesNulls: removesNulls)
        }
        return .object(object)
    }

    /// The value with another part; missing objects on the way to it are created.
    fileprivate func replacing(
        _ steps: ArraySlice<String>,
        with part: JSONValue?,
        of name: String
    ) throws(DataError) -> JSONValue? {
        guard let step = steps.first else { return part }
        let rest = steps.dropFirst()
        if var elements = array, let index = Int(step), elements.indices.contains(index) {
            let new = try elements[index].replacing(rest, with: part, of: name)
            elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
            return .array(elements)
        }
        guard var object else {
            throw DataError(.conflict, "the data '\(name)' has no place '\(step)' to write to")
        }
        object[step] = try (object[step] ?? .object([:])).replacing(rest, with: part, of: name)
        return .object(object)
    }

    /// A row with the key of the former row, unless it has another one.
    fileprivate func keeping(_ key: String, of row: JSONValue) -> JSONValue {
        guard var object, object[key] == nil, let old = row[key] else { return self }
        object[key] = old
        return .object(object)
    }
}
