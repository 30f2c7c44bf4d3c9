import BacklotJSON
import HTTPTypes

/// A part of a bucket's value, which a change replaces.
struct DataPlace {
    /// The part that is changed, and what came of it.
    struct Part {
        /// nil where there is nothing.
        var value: JSONValue?
        /// As people write it; empty for the whole.
        let path: String
        var isRoot: Bool { path.isEmpty }
        /// The rows that were changed.
        var changed: [JSONValue] = []
        /// The row to add to the bucket, since none was found.
        var missed: JSONValue?
    }

    private(set) var root: JSONValue
    private(set) var changed: [JSONValue] = []
    private(set) var missed: JSONValue?
    private let steps: [String]
    private let name: String

    init(_ steps: [String], in root: JSONValue, of name: String) {
        self.steps = steps
        self.root = root
        self.name = name
    }

    mutating func change(_ body: (inout Part) throws(DataProblem) -> Void) throws(DataProblem) {
        var part = Part(value: value(), path: steps.joined(separator: "."))
        try body(&part)
        root = try Self.replacing(steps[...], in: root, with: part.value, name) ?? .null
        (changed, missed) = (part.changed, part.missed)
    }

    private func value() -> JSONValue? {
        steps.reduce(Optional(root)) { value, step in value?[step] ?? Int(step).flatMap { value?[$0] } }
    }

    /// The value with another part; the objects on the way to it are made where they are missing.
    private static func replacing(
        _ steps: ArraySlice<String>,
        in value: JSONValue?,
        with part: JSONValue?,
        _ name: String
    ) throws(DataProblem) -> JSONValue? {
        guard let step = steps.first else { return part }
        let rest = steps.dropFirst()
        switch value ?? .object([:]) {
        case .object(var object):
            object[step] = try replacing(rest, in: object[step], with: part, name)
            return .object(object)
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { break }
            if let new = try replacing(rest, in: elements[index], with: part, name) {
                elements[index] = new
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: break
        }
        throw DataProblem(.conflict, "the data '\(name)' has no place '\(step)' to write to")
    }
}
