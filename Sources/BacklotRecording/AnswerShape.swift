import BacklotJSON
import BacklotMocks

/// What answers have in common that differ only in their values.
indirect enum AnswerShape: Equatable {
    /// Whatever it is: null, or elements that differ.
    case any
    case bool, number, text
    /// A text that tells what an object is.
    case word(String)
    /// The shapes of its elements that have nothing in common; none for an empty list.
    case list([AnswerShape])
    case object([String: AnswerShape])
    /// A body that is no JSON, by its media type.
    case body(String)

    /// - Parameter mark: the key whose texts tell what an object is.
    init(_ value: JSONValue, mark: String?) {
        switch value {
        case .null: self = .any
        case .bool: self = .bool
        case .number: self = .number
        case .string: self = .text
        case .array(let elements):
            self = .list(elements.reduce(into: []) { Self.add(AnswerShape($1, mark: mark), to: &$0) })
        case .object(let object):
            var members: [String: AnswerShape] = [:]
            for member in object.members {
                if member.key == mark, let word = member.value.string {
                    members[member.key] = .word(word)
                } else {
                    members[member.key] = AnswerShape(member.value, mark: mark)
                }
            }
            self = .object(members)
        }
    }

    /// What both have in common; nil for different shapes.
    func merged(with other: AnswerShape) -> AnswerShape? {
        switch (self, other) {
        case (.any, _), (_, .any): return .any
        case (.list(let one), .list(let two)): return .list(two.reduce(into: one) { Self.add($1, to: &$0) })
        case (.object(let one), .object(let two)):
            var members = one.merging(two) { first, _ in first }
            let shared = one.keys.filter { two[$0] != nil }
            // Some members may be missing in one of them.
            guard shared.count * 3 >= members.count * 2 else { return nil }
            for key in shared {
                guard let left = one[key], let right = two[key], let merged = left.merged(with: right) else {
                    return nil
                }
                members[key] = merged
            }
            return .object(members)
        default: return self == other ? self : nil
        }
    }

    private static func add(_ shape: AnswerShape, to shapes: inout [AnswerShape]) {
        for (index, known) in shapes.enumerated() {
            guard let merged = known.merged(with: shape) else { continue }
            shapes[index] = merged
            return
        }
        shapes.append(shape)
    }

    /// Whether both have the same parts, those of lists included: each element of one has its like in the other.
    func isAlike(_ other: AnswerShape) -> Bool {
        switch (self, other) {
        case (.any, _), (_, .any), (.list([]), .list), (.list, .list([])): true
        case (.list(let one), .list(let two)):
            one.allSatisfy { element in two.contains(where: element.isAlike) }
                && two.allSatisfy { element in one.contains(where: element.isAlike) }
        case (.object(let one), .object(let two)):
            merged(with: other) != nil && one.allSatisfy { member in two[member.key].map(member.value.isAlike) ?? true }
        default: self == other
        }
    }

    var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// Whether it says too little to compare by.
    var isTrivial: Bool {
        switch self {
        case .any, .bool, .number, .text, .word, .list([]): true
        case .object(let members): members.isEmpty
        case .list, .body: false
        }
    }
}
