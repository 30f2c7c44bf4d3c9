package import Backlot

/// An unreadable part of a stub: its place, the expected value, and the cure.
public struct StubError: Error, Hashable, Sendable {
    /// One step from a value to a part of it.
    public enum Step: Hashable, Sendable {
        /// To a member of an object.
        case key(String)
        /// To an element of an array.
        case index(Int)
    }

    /// The way to the part.
    public var path: [Step]
    /// Whether the key at the end of the way is meant, and not its value.
    public var isAboutKey: Bool
    /// The problem and its cure.
    public var text: String
    /// The number of tags before the wrong one in the text; nil for other problems.
    var tag: Int?

    /// A problem.
    public init(_ text: String, at path: [Step], isAboutKey: Bool = false) {
        self.text = text
        self.path = path
        self.isAboutKey = isAboutKey
    }

    /// The same problem in a value that stands in a larger one.
    func below(_ path: [Step]) -> StubError {
        var problem = self
        problem.path = path + self.path
        return problem
    }
}

extension StubError: CustomStringConvertible {
    /// The place and the problem: `request.headers.Accept: write …`.
    public var description: String {
        path.isEmpty ? text : "\(place): \(text)"
    }

    /// The way to the part, as people write it: `response.headers`, `bodyPatterns[0]`.
    public var place: String {
        path.reduce(into: "") { place, step in
            switch step {
            case .key(let key): place += place.isEmpty ? key : ".\(key)"
            case .index(let index): place += "[\(index)]"
            }
        }
    }

    /// The way to the part, as a JSON pointer.
    var pointer: String { path.map { JSONPointer.step($0.pointerStep) }.joined() }
}

extension StubError.Step {
    /// The step as a JSON pointer has it, without escapes.
    var pointerStep: String {
        switch self {
        case .key(let key): key
        case .index(let index): "\(index)"
        }
    }
}

extension JSONValue {
    /// A whole number.
    package init(_ number: some BinaryInteger) { self = .number(JSONNumber(Int64(number))) }

    /// The part below some keys or indices, or nil.
    func part(at steps: some Sequence<String>) -> JSONValue? {
        steps.reduce(Optional(self)) { value, step in value?[step] ?? Int(step).flatMap { value?[$0] } }
    }

    package func value(at path: [StubError.Step]) -> JSONValue? { part(at: path.map(\.pointerStep)) }

    /// The value with another part at some steps, if it has one there; without that where `change` returns nil.
    package func changing(_ path: ArraySlice<StubError.Step>, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
        switch (path.first, self) {
        case (nil, _): return change(self)
        case (.key(let key), .object(var object)):
            guard let child = object[key] else { return self }
            object[key] = child.changing(path.dropFirst(), change)
            return .object(object)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index) else { return self }
            let changed = elements[index].changing(path.dropFirst(), change)
            elements.replaceSubrange(index...index, with: changed.map { [$0] } ?? [])
            return .array(elements)
        default: return self
        }
    }

    /// The steps of a pointer into this value.
    func steps(of pointer: String) -> [StubError.Step] {
        var value: JSONValue? = self
        return JSONPointer.steps(of: pointer).map { step in
            defer { value = value?[step] ?? Int(step).flatMap { value?[$0] } }
            if case .array? = value, let index = Int(step) { return .index(index) }
            return .key(step)
        }
    }

    /// The way in this value, which is written in a file, to a part of what it becomes once its tags are filled in.
    ///
    /// - Parameters:
    ///   - names: the keys and indices that lead to the part.
    ///   - takesElse: whether blocks became what stands after `else`; else each became its contents, once.
    func steps(to names: some Sequence<String>, takesElse: Bool = false) -> [StubError.Step] {
        var (value, steps) = (Optional(self), [StubError.Step]())
        for name in names {
            guard case .array(let elements)? = value, var index = Int(name) else {
                steps.append(.key(name))
                value = value?[name]
                continue
            }
            value = nil
            for (position, element) in elements.enumerated() {
                let (block, parts) = element.parts(takesElse)
                if parts.indices.contains(index) {
                    steps += [.index(position)] + block + (block.isEmpty || parts.count == 1 ? [] : [.index(index)])
                    value = parts[index]
                    break
                }
                index -= parts.count
            }
            if value == nil { steps.append(.index(Int(name) ?? 0)) }
        }
        return steps
    }

    /// The elements of a list that an element becomes: those of a block (`"{{#each data.cart}}": …`), with the block's key, or itself.
    private func parts(_ takesElse: Bool) -> (block: [StubError.Step], parts: [JSONValue]) {
        guard let members = object?.members, !members.isEmpty, members.allSatisfy({ $0.key.hasPrefix("{{") }) else {
            return ([], [self])
        }
        guard let member = members.first(where: { $0.key.hasPrefix("{{#") != takesElse }) else { return ([], []) }
        return ([.key(member.key)], member.value.array ?? [member.value])
    }
}

/// An error that is a sentence for people.
package struct MessageError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The value of `body`; where it throws, the error that is made of its error's text.
package func mapErrors<Value, Failure: Error>(
    _ failure: (String) -> Failure,
    _ body: () throws -> Value
) throws(Failure) -> Value {
    do {
        return try body()
    } catch {
        throw failure("\(error)")
    }
}
