import Backlot
import BacklotMocks

/// Finds the segments of recorded paths that are values, such as the 7 of `/tasks/7`.
struct PathFolding {
    /// A requested path.
    struct Path {
        let method: HTTPRequest.Method
        let segments: [String]
        /// The shape of a successful response; nil for other responses.
        let shape: ResponseShape?
    }

    /// A position in paths with the same method, prefix and suffix.
    private struct Place: Hashable {
        let method: HTTPRequest.Method
        let prefix: [String]
        let suffix: [String]
    }

    /// The minimum number of values that makes a parameter.
    private static let fewest = 3

    /// The pattern of each path.
    private(set) var patterns: [[PathPattern.Segment]]
    /// For each path, the names of parameters for values that a file name can't contain. These parameters match only the recorded
    /// values.
    private(set) var unnamable: [Set<String>]
    /// The folded paths: each pattern with its values.
    private(set) var folded: [(pattern: String, values: [String])] = []

    /// - Parameter folds: whether values become parameters. If false, only values that no file name can contain do.
    init(_ paths: [Path], folds: Bool) {
        patterns = paths.map { $0.segments.map(PathPattern.Segment.literal) }
        unnamable = Array(repeating: [], count: paths.count)
        let depth = paths.map(\.segments.count).max() ?? 0
        for position in 0..<depth {
            let values = folds ? self.values(of: paths, at: position) : [:]
            for index in paths.indices where paths[index].segments.count > position {
                let value = paths[index].segments[position]
                let prefix = Self.names(patterns[index][..<position])
                let isLast = position == paths[index].segments.count - 1
                let isValue = values[prefix]?.contains(value) == true
                guard isValue || !Self.canBeNamed(value, isFirst: position == 0, isLast: isLast) else { continue }
                let name = Self.parameter(after: prefix)
                patterns[index][position] = .parameter(name)
                if !isValue { unnamable[index].insert(name) }
            }
            for (prefix, values) in values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let names = prefix + ["[\(Self.parameter(after: prefix))]"]
                folded.append(("/" + names.joined(separator: "/"), values.sorted()))
            }
        }
    }

    /// The name of the next parameter: `id`, `id2`.
    private static func parameter(after names: [String]) -> String {
        let count = names.count { $0.hasPrefix("[") }
        return count == 0 ? "id" : "id\(count + 1)"
    }

    /// A pattern as names of files and folders.
    static func names(_ segments: some Sequence<PathPattern.Segment>) -> [String] {
        segments.map { segment in
            if case .literal(let text) = segment { text } else { "[\(segment.name ?? "")]" }
        }
    }

    /// Paths that differ in one segment and have similar responses.
    private struct Cluster {
        var shape: ResponseShape
        /// The values of the segment, each with the shape of its responses.
        var shapes: [String: ResponseShape]

        /// The values that a parameter may represent.
        func values(at position: Int) -> [Set<String>] {
            let ids = shapes.keys.filter(\.looksLikeID)
            guard ids.isEmpty else { return [Set(ids)] }
            // Words only count as values without ids beside them, and not in the first segment, where an app has its sections.
            guard position > 0, !shape.isList else { return [] }
            // Many pages have something in common. For words, the responses must have the same parts.
            var groups: [(shape: ResponseShape, values: Set<String>)] = []
            for (value, shape) in shapes.sorted(by: { $0.key < $1.key }) {
                if let index = groups.firstIndex(where: { $0.shape.isAlike(shape) }) {
                    groups[index].values.insert(value)
                } else {
                    groups.append((shape, [value]))
                }
            }
            return groups.map(\.values)
        }
    }

    /// The values at a position, by the names before it.
    private func values(of paths: [Path], at position: Int) -> [[String]: Set<String>] {
        var places: [Place: [Cluster]] = [:]
        for (path, pattern) in zip(paths, patterns) where path.segments.count > position {
            guard let shape = path.shape, !shape.isTrivial else { continue }
            let place = Place(
                method: path.method,
                prefix: Self.names(pattern[..<position]),
                suffix: path.segments[(position + 1)...].map { $0.looksLikeID ? "*" : $0 }
            )
            let value = path.segments[position]
            var clusters = places[place] ?? []
            let known = clusters.firstIndex { $0.shapes[value] != nil }
            if let index = known ?? clusters.firstIndex(where: { $0.shape.merged(with: shape) != nil }) {
                clusters[index].shape = clusters[index].shape.merged(with: shape) ?? clusters[index].shape
                clusters[index].shapes[value] = clusters[index].shapes[value]?.merged(with: shape) ?? shape
            } else {
                clusters.append(Cluster(shape: shape, shapes: [value: shape]))
            }
            places[place] = clusters
        }
        var found: [[String]: Set<String>] = [:]
        for (place, clusters) in places {
            for values in clusters.flatMap({ $0.values(at: position) }) where values.count >= Self.fewest {
                found[place.prefix, default: []].formUnion(values)
            }
        }
        return found
    }

    /// Whether a segment can be the name of a file or folder.
    private static func canBeNamed(_ segment: String, isFirst: Bool, isLast: Bool) -> Bool {
        guard !segment.isEmpty, !segment.hasPrefix("."), segment.utf8.count <= 100,
            !segment.contains(where: { "?#%{}[]\\/:\0".contains($0) || $0.isNewline }), !(isLast && segment == "index")
        else { return false }
        return !isFirst || !["__files", "mappings", "data"].contains(segment)
    }
}

/// The common structure of responses that only differ in their values.
indirect enum ResponseShape: Equatable {
    /// Any value: null, or a mixture.
    case any
    case bool, number, text
    /// A text that names the kind of its object.
    case word(String)
    /// The first distinct shapes of the list's elements, merged if possible; empty for an empty list.
    case list([ResponseShape])
    case object([String: ResponseShape])
    /// A body that isn't JSON, by its media type.
    case body(String)

    /// The maximum number of a list's shapes. Each further element is compared with all of them.
    private static let mostShapes = 100

    /// - Parameter mark: the key for the kind of an object.
    init(_ value: JSONValue, mark: String?) {
        switch value {
        case .null: self = .any
        case .bool: self = .bool
        case .number: self = .number
        case .string: self = .text
        case .array(let elements):
            self = .list(elements.reduce(into: []) { Self.add(ResponseShape($1, mark: mark), to: &$0) })
        case .object(let object):
            var members: [String: ResponseShape] = [:]
            for member in object.members {
                if member.key == mark, let word = member.value.string {
                    members[member.key] = .word(word)
                } else {
                    members[member.key] = ResponseShape(member.value, mark: mark)
                }
            }
            self = .object(members)
        }
    }

    /// The common shape of both; nil for different shapes.
    func merged(with other: ResponseShape) -> ResponseShape? {
        switch (self, other) {
        case (.any, _), (_, .any): return .any
        case (.list(let one), .list(let two)): return .list(two.reduce(into: one) { Self.add($1, to: &$0) })
        case (.object(let one), .object(let two)):
            let shared = one.keys.filter { two[$0] != nil }
            // Some members may be missing in one of them.
            guard shared.count * 3 >= (one.count + two.count - shared.count) * 2 else { return nil }
            var members = one.merging(two) { first, _ in first }
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

    private static func add(_ shape: ResponseShape, to shapes: inout [ResponseShape]) {
        for (index, known) in shapes.enumerated() {
            guard let merged = known.merged(with: shape) else { continue }
            shapes[index] = merged
            return
        }
        if shapes.count < mostShapes { shapes.append(shape) }
    }

    /// Whether both have the same parts, even in lists: each element has a similar one in the other list.
    func isAlike(_ other: ResponseShape) -> Bool {
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

    /// Whether the shape says too little for a comparison.
    var isTrivial: Bool {
        switch self {
        case .any, .bool, .number, .text, .word, .list([]): true
        case .object(let members): members.isEmpty
        case .list, .body: false
        }
    }
}
