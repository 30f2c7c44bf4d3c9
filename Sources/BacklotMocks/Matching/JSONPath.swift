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
    }

    /// What follows a question mark.
    indirect enum Filter: Sendable {
        case exists([Step])
        case compare(Operand, Comparison, Operand)
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

    let source: String
    private let steps: [Step]

    init(_ field: Field) throws(StubProblem) {
        source = try field.string()
        var parser = JSONPathParser(source)
        guard let steps = parser.parse() else {
            throw field.problem(
                "'\(source)' is no JSON path that is known here; write one such as $.name, $.items[0] or $.items[?(@.id == 7)]"
            )
        }
        self.steps = steps
    }

    /// Whether it may lead to several values.
    var isIndefinite: Bool {
        steps.contains { step in
            switch step {
            case .name, .index: false
            case .slice, .all, .descendants, .filter: true
            }
        }
    }

    /// What it leads to.
    func values(in document: JSONValue) -> [JSONValue] { Self.values(steps, in: document) }

    private static func values(_ steps: [Step], in document: JSONValue) -> [JSONValue] {
        steps.reduce([document]) { values, step in values.flatMap { Self.step(step, $0) } }
    }

    private static func step(_ step: Step, _ value: JSONValue) -> [JSONValue] {
        switch step {
        case .name(let name): return value[name].map { [$0] } ?? []
        case .index(let index):
            let count = value.array?.count ?? 0
            return value[index < 0 ? count + index : index].map { [$0] } ?? []
        case .slice(let from, let to):
            guard let elements = value.array else { return [] }
            func bound(_ index: Int) -> Int { min(elements.count, max(0, index < 0 ? elements.count + index : index)) }
            let (start, end) = (bound(from ?? 0), bound(to ?? elements.count))
            return start < end ? Array(elements[start..<end]) : []
        case .all: return children(of: value)
        case .descendants: return [value] + children(of: value).flatMap { Self.step(.descendants, $0) }
        case .filter(let filter): return children(of: value).filter { holds(filter, $0) }
        }
    }

    private static func children(of value: JSONValue) -> [JSONValue] {
        value.array ?? value.object?.members.map(\.value) ?? []
    }

    private static func holds(_ filter: Filter, _ value: JSONValue) -> Bool {
        switch filter {
        case .exists(let steps): return !values(steps, in: value).isEmpty
        case .and(let left, let right): return holds(left, value) && holds(right, value)
        case .or(let left, let right): return holds(left, value) || holds(right, value)
        case .not(let filter): return !holds(filter, value)
        case .compare(let left, let comparison, let right):
            let (left, right) = (operand(left, value), operand(right, value))
            switch comparison {
            case .equal: return left == right
            case .notEqual: return left != right
            case .less: return isLess(left, right)
            case .greater: return isLess(right, left)
            case .lessOrEqual: return isLess(left, right) || left == right
            case .greaterOrEqual: return isLess(right, left) || left == right
            }
        }
    }

    private static func operand(_ operand: Operand, _ value: JSONValue) -> JSONValue? {
        switch operand {
        case .path(let steps): values(steps, in: value).first
        case .value(let value): value
        }
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        if let left = left?.number, let right = right?.number { return left.double < right.double }
        if let left = left?.string, let right = right?.string { return left < right }
        return false
    }
}
