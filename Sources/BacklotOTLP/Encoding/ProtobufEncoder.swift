/// Writes protobuf's wire format (https://protobuf.dev/programming-guides/encoding/).
///
/// OTLP's messages need this much of it. swift-protobuf, with the code that it generates for them, takes minutes to build and
/// megabytes in each program.
struct ProtobufEncoder: OTLPEncoder {
    private enum WireType: UInt64 {
        case varint = 0
        case eightBytes = 1
        case lengthDelimited = 2
        case fourBytes = 5
    }

    private var bytes: [UInt8] = []

    static func bytes(of write: (inout ProtobufEncoder) -> Void) -> [UInt8] {
        var encoder = ProtobufEncoder()
        encoder.bytes.reserveCapacity(4096)
        write(&encoder)
        return encoder.bytes
    }

    mutating func string(_ field: OTLPField, _ value: String) {
        tag(field, .lengthDelimited)
        varint(UInt64(value.utf8.count))
        bytes += value.utf8
    }

    mutating func bool(_ field: OTLPField, _ value: Bool) {
        tag(field, .varint)
        varint(value ? 1 : 0)
    }

    mutating func double(_ field: OTLPField, _ value: Double) {
        fixed64(field, value.bitPattern)
    }

    mutating func integer(_ field: OTLPField, _ value: Int64) {
        tag(field, .varint)
        varint(UInt64(bitPattern: value))
    }

    mutating func small(_ field: OTLPField, _ value: Int) {
        integer(field, Int64(value))
    }

    mutating func fixed32(_ field: OTLPField, _ value: UInt32) {
        tag(field, .fourBytes)
        little(value)
    }

    mutating func fixed64(_ field: OTLPField, _ value: UInt64) {
        tag(field, .eightBytes)
        little(value)
    }

    mutating func identity(_ field: OTLPField, _ words: [UInt64]) {
        tag(field, .lengthDelimited)
        varint(UInt64(words.count * 8))
        for word in words { little(word.byteSwapped) }
    }

    mutating func doubles(_ field: OTLPField, _ values: [Double]) {
        packed(field, values.map(\.bitPattern))
    }

    mutating func counts(_ field: OTLPField, _ values: [Int]) {
        packed(field, values.map { UInt64($0) })
    }

    mutating func message(_ field: OTLPField, _ write: (inout ProtobufEncoder) -> Void) {
        tag(field, .lengthDelimited)
        let start = bytes.count
        write(&self)
        // Its length stands before it, and is known only now.
        let end = bytes.count
        varint(UInt64(end - start))
        let length = Array(bytes[end...])
        bytes.removeSubrange(end...)
        bytes.insert(contentsOf: length, at: start)
    }

    mutating func messages<Item>(
        _ field: OTLPField,
        _ items: [Item],
        _ write: (inout ProtobufEncoder, Item) -> Void
    ) {
        for item in items { message(field) { write(&$0, item) } }
    }

    private mutating func packed(_ field: OTLPField, _ values: [UInt64]) {
        tag(field, .lengthDelimited)
        varint(UInt64(values.count * 8))
        for value in values { little(value) }
    }

    private mutating func tag(_ field: OTLPField, _ type: WireType) {
        varint(field.number << 3 | type.rawValue)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func little(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }
}
