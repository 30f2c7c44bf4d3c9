public import Backlot

/// The location of a value in a data model.
///
/// `/` and an empty text are the root, and empty segments vanish. `~1` is a slash within a key and `~0` a tilde.
///
/// Source: the A2UI specification, Data model; RFC 6901.
public struct DataPath: Hashable, Sendable, CustomStringConvertible {
    /// The largest number of segments.
    public static let segmentLimit = 100
    /// The keys and indices from the root on.
    public private(set) var segments: [String]

    /// The root.
    public static let root = DataPath(segments: [])

    package init(segments: [String]) { self.segments = segments }

    /// Reads a path.
    ///
    /// - Parameters:
    ///   - text: a path from the root with a slash at its beginning, or one from the scope without. `.` and an empty text are the
    ///     scope itself.
    ///   - scope: the element of a template; the root outside of templates.
    public init(_ text: String, in scope: DataPath = .root) {
        segments = text.hasPrefix("/") ? [] : scope.segments
        guard text != "." else { return }
        for part in text.split(separator: "/") {
            segments.append(String(part.replacing("~1", with: "/").replacing("~0", with: "~")))
        }
    }

    /// Checks that each tilde of a path begins an escape.
    static func checkEscapes(in text: String) throws(A2UIError) {
        let rests = text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).dropFirst()
        guard !rests.allSatisfy({ $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1") }) else { return }
        let text = "\(text.excerpt.quoted) isn't a path; write ~0 for a tilde in a key, and ~1 for a slash."
        throw A2UIError(.validation, "invalid_pointer", text)
    }

    /// The path of a child.
    public func appending(_ segment: String) -> DataPath { DataPath(segments: segments + [segment]) }

    /// The path as a JSON pointer; `/` for the root.
    public var description: String {
        guard !segments.isEmpty else { return "/" }
        return segments.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// Whether a change of the value here may change the value there, or the other way round.
    public func touches(_ other: DataPath) -> Bool { zip(segments, other.segments).allSatisfy { $0 == $1 } }
}

/// The values that the components of a surface are bound to.
///
/// Source: the A2UI specification, Data model.
public struct DataModel: Hashable, Sendable {
    /// The largest index of a list in a write. A write past the end fills the list with null.
    public static let indexLimit = 10_000

    /// The whole model.
    public private(set) var value: JSONValue

    /// Makes a model.
    public init(_ value: JSONValue = [:]) { self.value = value }

    /// The value at a path; nil without one.
    public subscript(path: DataPath) -> JSONValue? {
        path.segments.reduce(value) { (value: JSONValue?, segment) in
            switch value {
            case .object(let object)?: object[segment]
            case .array(let elements)?:
                Self.index(segment).flatMap { elements.indices.contains($0) ? .some(elements[$0]) : .none }
            default: nil
            }
        }
    }

    /// Writes a value and makes the containers on the way: a list before an index, else an object.
    ///
    /// nil and null delete: a member vanishes, an element of a list becomes null, and the root becomes an empty object.
    ///
    /// - Throws: a data error for a name in a list, a path through a text, number or boolean, and an index or a path past its limit.
    public mutating func set(_ newValue: JSONValue?, at path: DataPath) throws(A2UIError) {
        let newValue = newValue == .null ? nil : newValue
        try check(path, isDeletion: newValue == nil)
        guard !path.segments.isEmpty else { return value = newValue ?? [:] }
        Self.write(newValue, path.segments[...], into: &value)
    }

    /// Everything that can fail is checked before the first change.
    ///
    /// - Returns: the number of nulls that the write fills lists with.
    @discardableResult
    func check(_ path: DataPath, isDeletion: Bool) throws(A2UIError) -> Int {
        func refusal(_ code: String, _ text: String) -> A2UIError {
            A2UIError(.data, code, "Can't set \(path.description.excerpt(upTo: 100)): \(text).")
        }
        guard path.segments.count <= DataPath.segmentLimit else {
            throw refusal("path_too_long", "it has more than \(DataPath.segmentLimit) segments")
        }
        var current: JSONValue? = value
        var nullCount = 0
        for segment in path.segments {
            switch current {
            case .object(let object)?: current = object[segment]
            case nil, .null?:
                guard !isDeletion else { return 0 }
                let index = Self.index(segment) ?? 0
                guard index <= Self.indexLimit else {
                    throw refusal("index_too_large", "the index \(index) is above \(Self.indexLimit)")
                }
                nullCount += index
                current = nil
            case .array(let elements)?:
                guard let index = Self.index(segment) else {
                    throw refusal(
                        "type_mismatch",
                        "\(segment.quoted) is a non-numeric segment in a list; write an index"
                    )
                }
                guard index <= Self.indexLimit || isDeletion else {
                    throw refusal("index_too_large", "the index \(index) is above \(Self.indexLimit)")
                }
                if !isDeletion { nullCount += max(0, index - elements.count) }
                current = index < elements.count ? elements[index] : nil
            case .bool?, .number?, .string?:
                throw refusal("type_mismatch", "before \(segment.quoted) stands a single value, which has no parts")
            }
        }
        return nullCount
    }

    /// The child is taken out before it changes, so that nothing is copied.
    private static func write(_ newValue: JSONValue?, _ segments: ArraySlice<String>, into target: inout JSONValue) {
        guard let segment = segments.first else { return target = newValue ?? .null }
        let rest = segments.dropFirst()
        if target.isNull {
            guard newValue != nil else { return }
            target = index(segment) == nil ? .object(JSONObject()) : .array([])
        }
        switch target {
        case .object(var object):
            target = .null
            if rest.isEmpty {
                object[segment] = newValue
            } else if object[segment] != nil || newValue != nil {
                var child = object[segment] ?? .null
                object[segment] = .null
                write(newValue, rest, into: &child)
                object[segment] = child
            }
            target = .object(object)
        case .array(var elements):
            target = .null
            if let index = index(segment), index < elements.count || newValue != nil {
                while elements.count <= index { elements.append(.null) }
                write(newValue, rest, into: &elements[index])
            }
            target = .array(elements)
        default: break
        }
    }

    /// An index of a list: digits without a leading zero.
    private static func index(_ segment: String) -> Int? {
        guard segment.utf8.allSatisfy(\.isDigit), segment == "0" || segment.utf8.first != UInt8(ascii: "0") else {
            return nil
        }
        return Int(segment)
    }
}
