/// Where a field line's name and value stand in the bytes of a head. A head is at most 65,535 bytes long.
struct FieldRange: Equatable, Sendable {
    private let nameStart: UInt16
    private let nameEnd: UInt16
    private let valueStart: UInt16
    private let valueEnd: UInt16

    init(name: Range<Int>, value: Range<Int>) {
        nameStart = UInt16(name.lowerBound)
        nameEnd = UInt16(name.upperBound)
        valueStart = UInt16(value.lowerBound)
        valueEnd = UInt16(value.upperBound)
    }

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}
