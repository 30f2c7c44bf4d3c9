import BacklotJSON

/// What answers have in common that differ only in their values.
indirect enum AnswerShape: Equatable {
    /// Whatever it is: null, or elements that differ.
    case any
    case bool, number, text
    /// A text that tells what an object is.
    case word(String)
    /// Nil for an empty list.
    case list(AnswerShape?)
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
            let shapes = elements.map { AnswerShape($0, mark: mark) }
            self = .list(shapes.first.map { first in shapes.dropFirst().reduce(first) { $0.merged(with: $1) ?? .any } })
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
        case (.list(nil), .list(let element)), (.list(let element), .list(nil)): return .list(element)
        case (.list(let one?), .list(let two?)): return .list(one.merged(with: two) ?? .any)
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

    var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// Whether it says too little to compare by.
    var isTrivial: Bool {
        switch self {
        case .any, .bool, .number, .text, .word, .list(nil): true
        case .object(let members): members.isEmpty
        case .list, .body: false
        }
    }
}
