/// The fields of a protobuf message in a collector's response. It keeps the first value of a repeated field, and ignores everything
/// after malformed bytes.
struct ProtobufReader {
    private(set) var numbers: [UInt64: UInt64] = [:]
    /// The values with a length: texts and messages.
    private(set) var contents: [UInt64: [UInt8]] = [:]

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let tag = Self.varint(&rest) {
            let field = tag >> 3
            switch tag & 7 {
            case 0:
                guard let number = Self.varint(&rest) else { return }
                numbers[field] = numbers[field] ?? number
            case 1: rest = rest.dropFirst(8)
            case 2:
                guard let count = Self.varint(&rest), count <= rest.count else { return }
                contents[field] = contents[field] ?? Array(rest.prefix(Int(count)))
                rest = rest.dropFirst(Int(count))
            case 5: rest = rest.dropFirst(4)
            default: return
            }
        }
    }

    /// The text of a field; nil if it is missing or isn't UTF-8.
    func text(_ field: UInt64) -> String? {
        contents[field].flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}
