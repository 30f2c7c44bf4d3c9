/// Where the fields of a head stand, in their order. Most heads have few: the first twelve take no memory of their own.
struct FieldTable: Sendable, RandomAccessCollection {
    private static let countInPlace = 12

    private var inPlace = InlineArray<12, FieldRange>(repeating: FieldRange(name: 0..<0, value: 0..<0))
    private var more: [FieldRange] = []
    private(set) var endIndex = 0

    init() {}

    init(_ fields: [FieldRange]) {
        for field in fields { append(field) }
    }

    var startIndex: Int { 0 }

    subscript(index: Int) -> FieldRange {
        precondition(index < endIndex)
        return index < Self.countInPlace ? inPlace[index] : more[index - Self.countInPlace]
    }

    mutating func append(_ field: FieldRange) {
        if endIndex < Self.countInPlace { inPlace[endIndex] = field } else { more.append(field) }
        endIndex += 1
    }
}
