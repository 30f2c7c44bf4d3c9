import Backlot

/// A path into a JSON document (RFC 9535, and the JsonPath that WireMock's users write): names, indices, slices, `*`, `..`, and
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

    /// The functions at the end of a path: `$.items.size()`.
    enum Function: String, Sendable {
        case size, length, min, max, avg, sum, keys, first, last
    }

    /// The filter after a question mark.
    indirect enum Filter: Sendable {
        case exists([Step])
        case compare(Operand, Comparison, Operand)
        case matches(Operand, PCRERegex)
        case isOne(Operand, of: [JSONValue])
        /// Whether a text or a list is empty.
        case isEmpty(Operand, Bool)
        case all([Filter])
        case any([Filter])
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

    /// The error for a path that leads to too many values, or has regular expressions that take too long.
    struct TooManySteps: Error {}

    /// The longest text of a path, in bytes.
    private static let longest = 4096

    let source: String
    private let steps: [Step]

    init(_ field: LocatedValue) throws(StubError) {
        let source = try field.string()
        guard let path = JSONPath(source) else { throw field.problem(Self.problem(source)) }
        self = path
    }

    /// nil for a text that isn't a path, and for one of more than 4096 bytes.
    init?(_ source: String) {
        // A sign that is one character with what precedes it would be read as a letter, and a value could leave its quotes.
        guard source.utf8.count <= Self.longest,
            !source.contains(where: { $0.unicodeScalars.dropFirst().contains(where: \.isASCII) })
        else { return nil }
        var parser = JSONPathParser(source)
        guard let steps = parser.parse() else { return nil }
        (self.source, self.steps) = (source, steps)
    }

    static func problem(_ source: String) -> String {
        "'\(source)' isn't a known JSON path; write one such as $.name, $.items[0] or $.items[?(@.id == 7)]"
    }

    /// The steps of a path that leads to one place, by names and indices only; nil for other paths.
    var place: [StubError.Step]? {
        let place = steps.compactMap { step -> StubError.Step? in
            switch step {
            case .name(let name): .key(name)
            case .index(let index): .index(index)
            default: nil
            }
        }
        return place.count == steps.count ? place : nil
    }

    /// Whether it may lead to several values.
    var isIndefinite: Bool {
        steps.contains { step in
            switch step {
            case .name, .index, .function: false
            case .slice, .all, .descendants, .filter, .union: true
            }
        }
    }

    /// The values that it leads to.
    ///
    /// - Parameter left: the number of values that it may still look at; it is reduced.
    func values(in document: JSONValue, within left: inout Int) throws(TooManySteps) -> [JSONValue] {
        var run = JSONPathRun(left: left)
        defer { left = run.left }
        return try run.values(steps, in: document)
    }
}

/// The evaluation of a path.
private struct JSONPathRun {
    typealias TooManySteps = JSONPath.TooManySteps

    /// The number of values that it may still look at.
    var left: Int
    /// Nanoseconds of the processor that its regular expressions may still take.
    private var time = PCRERegex.time(forBytes: 0)

    init(left: Int) {
        self.left = left
    }

    mutating func values(_ steps: [JSONPath.Step], in document: JSONValue) throws(TooManySteps) -> [JSONValue] {
        var values = [document]
        for step in steps {
            var next: [JSONValue] = []
            for value in values { try take(step, value, into: &next) }
            values = next
        }
        return values
    }

    private mutating func take(
        _ step: JSONPath.Step,
        _ value: JSONValue,
        into values: inout [JSONValue]
    ) throws(TooManySteps) {
        try spend(1)
        switch step {
        case .name(let name):
            try spend((value.object?.count ?? 0) / 8)
            if let member = value[name] { values.append(member) }
        case .index(let index):
            let count = value.array?.count ?? 0
            if let element = value[index < 0 ? count + index : index] { values.append(element) }
        case .slice(let from, let to):
            guard let elements = value.array else { return }
            func bound(_ index: Int) -> Int { min(elements.count, max(0, index < 0 ? elements.count + index : index)) }
            let (start, end) = (bound(from ?? 0), bound(to ?? elements.count))
            guard start < end else { return }
            try spend(end - start)
            values += elements[start..<end]
        case .all: values += try children(of: value)
        case .descendants:
            values.append(value)
            for child in try children(of: value) { try take(.descendants, child, into: &values) }
        case .union(let steps): for step in steps { try take(step, value, into: &values) }
        case .function(let function): if let result = try result(of: function, value) { values.append(result) }
        case .filter(let filter):
            // A filter applies to an object itself, as in Jayway's JsonPath, which WireMock uses.
            let judged = value.object == nil ? try children(of: value) : [value]
            for value in judged where try holds(filter, value) { values.append(value) }
        }
    }

    private mutating func children(of value: JSONValue) throws(TooManySteps) -> [JSONValue] {
        try spend(value.array?.count ?? value.object?.count ?? 0)
        return value.array ?? value.object?.members.map(\.value) ?? []
    }

    private mutating func spend(_ steps: Int) throws(TooManySteps) {
        left -= steps
        if left < 0 { throw TooManySteps() }
    }

    private mutating func result(
        of function: JSONPath.Function,
        _ value: JSONValue
    ) throws(TooManySteps) -> JSONValue? {
        let count = value.string?.count ?? value.array?.count ?? value.object?.count
        switch function {
        case .size, .length: return count.map { JSONValue($0) }
        case .keys: return value.object.map { .array($0.keys.map(JSONValue.string)) }
        case .first: return value.array?.first
        case .last: return value.array?.last
        case .min, .max, .avg, .sum: break
        }
        let numbers = try children(of: value).compactMap { $0.number?.double }
        guard let least = numbers.min(), let most = numbers.max() else { return nil }
        let sum = numbers.reduce(0, +)
        let result =
            switch function {
            case .min: least
            case .max: most
            case .avg: sum / Double(numbers.count)
            default: sum
            }
        return JSONNumber(result).map(JSONValue.number)
    }

    // MARK: Filters

    private mutating func holds(_ filter: JSONPath.Filter, _ value: JSONValue) throws(TooManySteps) -> Bool {
        try spend(1)
        switch filter {
        case .exists(let steps): return try !values(steps, in: value).isEmpty
        case .all(let filters):
            for filter in filters where try !holds(filter, value) { return false }
            return true
        case .any(let filters):
            for filter in filters where try holds(filter, value) { return true }
            return false
        case .not(let filter): return try !holds(filter, value)
        case .matches(let first, let pattern):
            guard let value = try operand(first, value), value.array == nil, value.object == nil else { return false }
            try spend(100)
            let outcome = pattern.match(whole: value.string ?? value.description, within: &time)
            if outcome == .givenUp { throw TooManySteps() }
            return outcome == .matches
        case .isOne(let first, let list):
            guard let value = try operand(first, value) else { return false }
            try spend(list.count)
            return list.contains(value)
        case .isEmpty(let first, let expected):
            guard let value = try operand(first, value) else { return false }
            let count = value.array?.count ?? value.object?.count ?? value.string?.utf8.count
            return count.map { ($0 == 0) == expected } ?? false
        case .compare(let first, let comparison, let second):
            let (one, other) = (try operand(first, value), try operand(second, value))
            switch comparison {
            case .equal: return try areEqual(one, other)
            case .notEqual: return try !areEqual(one, other)
            case .less: return Self.isLess(one, other)
            case .greater: return Self.isLess(other, one)
            case .lessOrEqual: return try Self.isLess(one, other) ? true : areEqual(one, other)
            case .greaterOrEqual: return try Self.isLess(other, one) ? true : areEqual(one, other)
            }
        }
    }

    private mutating func operand(
        _ operand: JSONPath.Operand,
        _ value: JSONValue
    ) throws(TooManySteps) -> JSONValue? {
        switch operand {
        case .path(let steps): try values(steps, in: value).first
        case .value(let value): value
        }
    }

    private mutating func areEqual(_ one: JSONValue?, _ other: JSONValue?) throws(TooManySteps) -> Bool {
        if let one, other != nil { try spendAll(of: one) }
        return one == other
    }

    /// Counts a step for each part that is compared.
    private mutating func spendAll(of value: JSONValue) throws(TooManySteps) {
        guard value.array != nil || value.object != nil else { return }
        for child in try children(of: value) { try spendAll(of: child) }
    }

    private static func isLess(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        if let one = one?.number, let other = other?.number { return one.double < other.double }
        if let one = one?.string, let other = other?.string { return one < other }
        return false
    }
}
