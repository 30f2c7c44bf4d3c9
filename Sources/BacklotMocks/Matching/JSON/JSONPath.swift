import Backlot
import BacklotJSON

/// A path into a JSON document (RFC 9535, and what WireMock's users write of JsonPath): names, indices, slices, `*`, `..`, and
/// filters that compare.
struct JSONPath: Sendable {
    enum Step: Sendable {
        case name(String)
        case index(Int)
        case slice(Int?, Int?)
        case all
        case descendants
        case filter(Filter)
        /// Several names or indices in one pair of brackets.
        case union([Step])
        case function(Function)
    }

    /// What a path may call at its end: `$.items.size()`.
    enum Function: String, Sendable, CaseIterable {
        case size, length, min, max, avg, sum, keys, first, last
    }

    /// What follows a question mark.
    indirect enum Filter: Sendable {
        case exists([Step])
        case compare(Operand, Comparison, Operand)
        case matches(Operand, Pattern)
        case isOne(Operand, of: [JSONValue])
        /// Whether a text or a list is empty.
        case isEmpty(Operand, Bool)
        case and(Filter, Filter)
        case or(Filter, Filter)
        case not(Filter)
    }

    enum Operand: Sendable {
        case path([Step])
        case value(JSONValue)
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    /// The path leads to more values than may be looked at.
    struct TooManySteps: Error {}

    let source: String
    private let steps: [Step]

    init(_ field: LocatedValue) throws(StubProblem) {
        let source = try field.string()
        guard let path = JSONPath(source) else { throw field.problem(Self.problem(source)) }
        self = path
    }

    /// nil for a text that is no path.
    init?(_ source: String) {
        var parser = JSONPathParser(source)
        guard let steps = parser.parse() else { return nil }
        (self.source, self.steps) = (source, steps)
    }

    static func problem(_ source: String) -> String {
        "'\(source)' is no JSON path that is known here; write one such as $.name, $.items[0] or $.items[?(@.id == 7)]"
    }

    /// The steps of a path that leads to one place, by names and indices alone; nil for other paths.
    var place: ArraySlice<Step>? {
        let isPlace = steps.allSatisfy { step in
            switch step {
            case .name, .index: true
            default: false
            }
        }
        return isPlace ? steps[...] : nil
    }

    /// Whether it may lead to several values.
    var isIndefinite: Bool {
        steps.contains { step in
            switch step {
            case .name, .index: false
            case .slice, .all, .descendants, .filter, .union: true
            case .function: false
            }
        }
    }

    /// What it leads to.
    ///
    /// - Parameter left: how many values may be looked at; afterwards, how many are left.
    func values(in document: JSONValue, within left: inout Int) throws(TooManySteps) -> [JSONValue] {
        try Self.values(steps, in: document, &left)
    }

    private static func values(
        _ steps: [Step],
        in document: JSONValue,
        _ left: inout Int
    ) throws(TooManySteps) -> [JSONValue] {
        var values = [document]
        for step in steps {
            var next: [JSONValue] = []
            for value in values { try take(step, value, into: &next, &left) }
            values = next
        }
        return values
    }

    private static func take(
        _ step: Step,
        _ value: JSONValue,
        into values: inout [JSONValue],
        _ left: inout Int
    ) throws(TooManySteps) {
        try spend(1, &left)
        switch step {
        case .name(let name):
            try spend((value.object?.count ?? 0) / 8, &left)
            if let member = value[name] { values.append(member) }
        case .index(let index):
            let count = value.array?.count ?? 0
            if let element = value[index < 0 ? count + index : index] { values.append(element) }
        case .slice(let from, let to):
            guard let elements = value.array else { return }
            func bound(_ index: Int) -> Int { min(elements.count, max(0, index < 0 ? elements.count + index : index)) }
            let (start, end) = (bound(from ?? 0), bound(to ?? elements.count))
            guard start < end else { return }
            try spend(end - start, &left)
            values += elements[start..<end]
        case .all: values += try children(of: value, &left)
        case .descendants:
            values.append(value)
            for child in try children(of: value, &left) { try take(.descendants, child, into: &values, &left) }
        case .union(let steps): for step in steps { try take(step, value, into: &values, &left) }
        case .function(let function):
            if let result = try result(of: function, value, &left) { values.append(result) }
        case .filter(let filter) where value.object != nil:
            // An object is judged itself, as in Jayway's JsonPath, which WireMock uses.
            if try holds(filter, value, &left) { values.append(value) }
        case .filter(let filter):
            for child in try children(of: value, &left) where try holds(filter, child, &left) { values.append(child) }
        }
    }

    private static func children(of value: JSONValue, _ left: inout Int) throws(TooManySteps) -> [JSONValue] {
        try spend(value.array?.count ?? value.object?.count ?? 0, &left)
        return value.array ?? value.object?.members.map(\.value) ?? []
    }

    private static func spend(_ steps: Int, _ left: inout Int) throws(TooManySteps) {
        left -= steps
        if left < 0 { throw TooManySteps() }
    }

    private static func result(
        of function: Function,
        _ value: JSONValue,
        _ left: inout Int
    ) throws(TooManySteps) -> JSONValue? {
        switch function {
        case .size, .length:
            if let text = value.string { return .number(JSONNumber(Int64(text.count))) }
            return (value.array?.count ?? value.object?.count).map { .number(JSONNumber(Int64($0))) }
        case .keys: return value.object.map { .array($0.keys.map(JSONValue.string)) }
        case .first: return value.array?.first
        case .last: return value.array?.last
        case .min, .max, .avg, .sum:
            let numbers = try children(of: value, &left).compactMap { $0.number?.double }
            guard !numbers.isEmpty else { return nil }
            let sum = numbers.reduce(0, +)
            let result: Double? =
                switch function {
                case .min: numbers.min()
                case .max: numbers.max()
                case .avg: sum / Double(numbers.count)
                default: sum
                }
            return result.flatMap { JSONNumber($0) }.map(JSONValue.number)
        }
    }

    // MARK: Filters

    private static func holds(_ filter: Filter, _ value: JSONValue, _ left: inout Int) throws(TooManySteps) -> Bool {
        switch filter {
        case .exists(let steps): return try !values(steps, in: value, &left).isEmpty
        case .and(let one, let other): return try holds(one, value, &left) ? holds(other, value, &left) : false
        case .or(let one, let other): return try holds(one, value, &left) ? true : holds(other, value, &left)
        case .not(let filter): return try !holds(filter, value, &left)
        case .matches(let first, let pattern):
            guard let value = try operand(first, value, &left), value.array == nil, value.object == nil else {
                return false
            }
            var time = Pattern.time(forBytes: 0)
            try spend(100, &left)
            return pattern.match(whole: value.string ?? value.description, within: &time) == .matches
        case .isOne(let first, let list):
            guard let value = try operand(first, value, &left) else { return false }
            try spend(list.count, &left)
            return list.contains(value)
        case .isEmpty(let first, let expected):
            guard let value = try operand(first, value, &left) else { return false }
            let count = value.array?.count ?? value.object?.count ?? value.string?.utf8.count
            return count.map { ($0 == 0) == expected } ?? false
        case .compare(let first, let comparison, let second):
            let (one, other) = (try operand(first, value, &left), try operand(second, value, &left))
            switch comparison {
            case .equal: return try areEqual(one, other, &left)
            case .notEqual: return try !areEqual(one, other, &left)
            case .less: return isLess(one, other)
            case .greater: return isLess(other, one)
            case .lessOrEqual: return try isLess(one, other) ? true : areEqual(one, other, &left)
            case .greaterOrEqual: return try isLess(other, one) ? true : areEqual(one, other, &left)
            }
        }
    }

    private static func operand(
        _ operand: Operand,
        _ value: JSONValue,
        _ left: inout Int
    ) throws(TooManySteps) -> JSONValue? {
        switch operand {
        case .path(let steps): try values(steps, in: value, &left).first
        case .value(let value): value
        }
    }

    private static func areEqual(
        _ one: JSONValue?,
        _ other: JSONValue?,
        _ left: inout Int
    ) throws(TooManySteps) -> Bool {
        if let one, other != nil { try spendAll(of: one, &left) }
        return one == other
    }

    /// A step for each part that is compared.
    private static func spendAll(of value: JSONValue, _ left: inout Int) throws(TooManySteps) {
        guard value.array != nil || value.object != nil else { return }
        for child in try children(of: value, &left) { try spendAll(of: child, &left) }
    }

    private static func isLess(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        if let one = one?.number, let other = other?.number { return one.double < other.double }
        if let one = one?.string, let other = other?.string { return one < other }
        return false
    }
}
