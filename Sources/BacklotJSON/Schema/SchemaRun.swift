/// The evaluated parts of one array or object, for `unevaluated…` (Core, section 11).
struct Evaluated {
    private var isWhole = false
    private var marks: [Bool] = []

    mutating func markAll() { isWhole = true }

    mutating func mark(_ index: Int, of count: Int) {
        if marks.isEmpty { marks = Array(repeating: false, count: count) }
        marks[index] = true
    }

    mutating func merge(_ other: Evaluated) {
        isWhole = isWhole || other.isWhole
        if marks.isEmpty {
            marks = other.marks
        } else {
            for index in other.marks.indices where other.marks[index] { marks[index] = true }
        }
    }

    func has(_ index: Int) -> Bool { isWhole || (!marks.isEmpty && marks[index]) }
}

/// The validation of one value.
struct SchemaRun {
    private let schema: JSONSchema
    private(set) var budget: JSONSchema.Budget
    private(set) var failures: [JSONSchema.Failure] = []
    private(set) var isGivenUp = false
    /// The number of active schemas with failures that don't count by themselves, such as those of `anyOf`.
    private var quiet = 0
    private var depth = 0
    private var path: [Step] = []
    /// The resources that were entered, for `$dynamicRef` (Core, section 7.1).
    private var scope: [Int] = []
    private var pointer = ""

    enum Step {
        case key(String)
        case index(Int)
    }

    init(_ schema: JSONSchema, _ budget: JSONSchema.Budget) {
        self.schema = schema
        self.budget = budget
    }

    /// Validates a value, and adds the parts that its schema evaluates if the value fits.
    mutating func judge(_ value: JSONValue, by index: Int, _ evaluated: inout Evaluated) -> Bool {
        let node = schema.nodes[index]
        guard !node.keywords.isEmpty else { return true }
        guard depth < JSONSchema.mostDepth else {
            giveUp(
                "needs more than \(JSONSchema.mostDepth) schemas within each other: the schema may refer to itself without end"
            )
            return false
        }
        depth += 1
        let outer = pointer
        pointer = node.pointer
        let entersResource = scope.last != node.resource
        if entersResource { scope.append(node.resource) }
        defer {
            depth -= 1
            pointer = outer
            if entersResource { scope.removeLast() }
        }
        var own = Evaluated()
        var fits = true
        for keyword in node.keywords {
            if !fits, keyword.isLast { break }
            guard spend(1) else { return false }
            if !apply(keyword, to: value, &own) {
                fits = false
                if stops { return false }
            }
        }
        if fits, schema.tracksEvaluated { evaluated.merge(own) }
        return fits
    }

    private mutating func apply(_ keyword: SchemaKeyword, to value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
        switch keyword {
        case .elements, .contains, .uniqueItems, .unevaluatedItems:
            guard let elements = value.array else { return true }
            return applyToElements(keyword, elements, &evaluated)
        case .required, .dependentRequired, .dependentSchemas, .members, .propertyNames, .unevaluatedProperties:
            guard let object = value.object else { return true }
            return applyToMembers(keyword, value, object, &evaluated)
        case .all, .any, .one, .not, .condition, .reference, .dynamicReference:
            return combine(keyword, value, &evaluated)
        default: return assert(keyword, value)
        }
    }

    // MARK: Bounds

    /// - Returns: whether the validation continues.
    mutating func spend(_ steps: Int) -> Bool {
        budget.steps -= steps
        if budget.steps < 0 { giveUp("takes too many steps to judge by this schema") }
        return !isGivenUp
    }

    mutating func giveUp(_ text: String) {
        guard !isGivenUp else { return }
        isGivenUp = true
        failures.append(.init(instancePointer, pointer, text, isGivenUp: true))
    }

    /// Looks for a pattern. If that takes too long, the validation ends.
    mutating func find(_ search: JSONSchema.PatternSearch, _ source: String, in text: String) -> Bool {
        guard spend(20) else { return false }
        guard budget.time > 0, let found = search(text, &budget.time) else {
            giveUp("takes too long to compare with the pattern \(source.shown)")
            return false
        }
        return found
    }

    /// Whether a failure ends the validation, because no more are needed.
    var stops: Bool { quiet > 0 || isGivenUp || failures.count >= JSONSchema.mostFailures }

    // MARK: Failures

    /// Notes a failure of a keyword; always false.
    mutating func fail(_ keyword: String, _ text: @autoclosure () -> String) -> Bool {
        if quiet == 0, !isGivenUp, failures.count < JSONSchema.mostFailures {
            let place = keyword.isEmpty ? pointer : "\(pointer)/\(keyword)"
            failures.append(.init(instancePointer, place, text()))
        }
        return false
    }

    private var instancePointer: String {
        path.reduce(into: "") { pointer, step in
            switch step {
            case .key(let key): pointer += JSONPointer.step(key)
            case .index(let index): pointer += "/\(index)"
            }
        }
    }

    // MARK: Parts

    /// Validates an element or a member.
    mutating func judge(_ value: JSONValue, at step: Step, by node: Int) -> Bool {
        path.append(step)
        defer { path.removeLast() }
        var evaluated = Evaluated()
        return judge(value, by: node, &evaluated)
    }

    /// Validates parts one after the other, until the result is known.
    mutating func all<Part>(_ parts: some Sequence<Part>, _ judge: (inout SchemaRun, Part) -> Bool) -> Bool {
        var fits = true
        for part in parts where !judge(&self, part) {
            fits = false
            if stops { break }
        }
        return fits
    }

    /// Validates without noting failures.
    mutating func fitsQuietly(_ value: JSONValue, _ node: Int, _ evaluated: inout Evaluated) -> Bool {
        quiet += 1
        defer { quiet -= 1 }
        return judge(value, by: node, &evaluated)
    }

    // MARK: Schemas for the same value

    private mutating func combine(_ keyword: SchemaKeyword, _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
        switch keyword {
        case .all(let nodes): return all(nodes) { $0.judge(value, by: $1, &evaluated) }
        case .any(let nodes):
            var fits = false
            for node in nodes where fitsQuietly(value, node, &evaluated) {
                fits = true
                if !schema.tracksEvaluated || isGivenUp { break }
            }
            return fits || explain(nodes, "anyOf", value)
        case .one(let nodes): return applyOne(nodes, value, &evaluated)
        case .not(let node):
            var ignored = Evaluated()
            return !fitsQuietly(value, node, &ignored) && !isGivenUp
                || fail("not", "must not fit the schema under 'not'")
        case .condition(let node, let then, let otherwise):
            let next = fitsQuietly(value, node, &evaluated) ? then : otherwise
            guard !isGivenUp else { return false }
            return next.map { judge(value, by: $0, &evaluated) } ?? true
        case .reference(let node): return judge(value, by: node, &evaluated)
        case .dynamicReference(let node, let name):
            let outermost = scope.lazy.compactMap { [schema] in schema.dynamicAnchors[$0][name] }.first
            return judge(value, by: outermost ?? node, &evaluated)
        default: return true
        }
    }

    private mutating func applyOne(_ nodes: [Int], _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
        var fitting: [Int] = []
        for (index, node) in nodes.enumerated() where fitsQuietly(value, node, &evaluated) {
            fitting.append(index)
            if fitting.count > 1 { break }
        }
        switch fitting.count {
        case 0: return explain(nodes, "oneOf", value)
        case 1: return true
        default:
            return fail(
                "oneOf",
                "must fit exactly one schema of 'oneOf', and fits numbers \(fitting[0]) and \(fitting[1])"
            )
        }
    }

    /// Notes why no schema of a list fits. For a list with one schema, it notes that schema's failures.
    private mutating func explain(_ nodes: [Int], _ keyword: String, _ value: JSONValue) -> Bool {
        if nodes.count == 1, quiet == 0, !isGivenUp {
            var ignored = Evaluated()
            return judge(value, by: nodes[0], &ignored)
        }
        return fail(
            keyword,
            "must fit \(keyword == "anyOf" ? "at least " : "")one of the \(nodes.count) schemas of '\(keyword)', and fits none"
        )
    }
}

extension SchemaKeyword {
    /// Whether this needs the parts that the other keywords have evaluated.
    var isLast: Bool {
        switch self {
        case .unevaluatedItems, .unevaluatedProperties: true
        default: false
        }
    }
}
