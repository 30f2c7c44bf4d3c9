/// Writes protobuf's wire format (https://protobuf.dev/programming-guides/encoding/).
///
/// OTLP's messages need only this part of it. swift-protobuf and its generated code for them would take minutes to build and
/// megabytes in each program.
struct ProtobufEncoder {
    private enum FieldType: UInt64 {
        case varint = 0
        case eightBytes = 1
        case lengthDelimited = 2
        case fourBytes = 5
    }

    private(set) var bytes: [UInt8] = []

    /// Writes the fields of a message.
    mutating func write(_ message: OTLPMessage) {
        for field in message { write(field) }
    }

    private mutating func write(_ field: OTLPField) {
        switch field.value {
        case .string(let text): delimited(field) { $0.bytes += text.utf8 }
        case .bool(let flag): number(field, flag ? 1 : 0)
        case .double(let number): fixed(field, .eightBytes, number.bitPattern)
        case .int64(let number): self.number(field, UInt64(bitPattern: number))
        case .small(let number): self.number(field, UInt64(number))
        case .fixed32(let number): fixed(field, .fourBytes, number)
        case .fixed64(let number): fixed(field, .eightBytes, number)
        case .identity(let words): delimited(field) { for word in words { $0.little(word.byteSwapped) } }
        case .doubles(let numbers): delimited(field) { for number in numbers { $0.little(number.bitPattern) } }
        case .counts(let counts): delimited(field) { for count in counts { $0.little(count) } }
        case .message(let message): delimited(field) { $0.write(message) }
        case .messages(let messages): for message in messages { delimited(field) { $0.write(message) } }
        }
    }

    /// Writes a field with its length before it.
    private mutating func delimited(_ field: OTLPField, _ write: (inout ProtobufEncoder) -> Void) {
        var content = ProtobufEncoder()
        write(&content)
        tag(field, .lengthDelimited)
        varint(UInt64(content.bytes.count))
        bytes += content.bytes
    }

    private mutating func number(_ field: OTLPField, _ value: UInt64) {
        tag(field, .varint)
        varint(value)
    }

    private mutating func fixed(_ field: OTLPField, _ type: FieldType, _ value: some FixedWidthInteger) {
        tag(field, type)
        little(value)
    }

    private mutating func tag(_ field: OTLPField, _ type: FieldType) {
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
