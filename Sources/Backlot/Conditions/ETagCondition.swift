/// What `If-Match` and `If-None-Match` hold: `*`, or a list of entity tags (RFC 9110, sections 13.1.1 and 13.1.2).
enum ETagCondition: Equatable {
    /// Matches whatever there is.
    case any
    case tags([ETag])

    /// Reads a field's value. A list ends at the first member that is no tag: what can't be read matches nothing.
    init(_ field: String) {
        var rest = field[...].utf8
        Self.skip(&rest, commas: false)
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [ETag] = []
        Self.skip(&rest, commas: true)
        while let tag = ETag(readingFrom: &rest) {
            tags.append(tag)
            Self.skip(&rest, commas: false)
            guard rest.first == UInt8(ascii: ",") else { break }
            Self.skip(&rest, commas: true)
        }
        self = .tags(tags)
    }

    private static func skip(_ rest: inout Substring.UTF8View, commas: Bool) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || (commas && $0 == UInt8(ascii: ",")) }
    }

    /// Whether the tag of what there is now is among these, byte for byte.
    func stronglyMatches(_ tag: ETag?) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tag.map { tag in tags.contains { $0.stronglyMatches(tag) } } ?? false
        }
    }

    /// Whether the tag of what there is now is among these, weak or not.
    func weaklyMatches(_ tag: ETag?) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tag.map { tag in tags.contains { $0.weaklyMatches(tag) } } ?? false
        }
    }
}
