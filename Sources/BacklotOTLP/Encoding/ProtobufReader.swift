/// Finds single fields in a message of protobuf, as a collector answers. Bytes that are no message have no fields.
struct ProtobufReader {
    enum Value: Equatable {
        case number(UInt64)
        case bytes([UInt8])
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first value of a field; nil where there is none.
    mutating func first(_ number: UInt64) -> Value? {
        position = 0
        while position < bytes.count {
            guard let tag = varint(), let value = value(tag & 7) else { return nil }
            if tag >> 3 == number { return value }
        }
        return nil
    }

    /// The text of a field; nil where there is none, or one that isn't UTF-8.
    mutating func text(_ number: UInt64) -> String? {
        guard case .bytes(let bytes)? = first(number) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private mutating func value(_ type: UInt64) -> Value? {
        switch type {
        case 0: return varint().map { .number($0) }
        case 1: return take(8).map { .bytes($0) }
        case 2: return varint().flatMap { take($0) }.map { .bytes($0) }
        case 5: return take(4).map { .bytes($0) }
        default: return nil
        }
    }

    private mutating func take(_ count: UInt64) -> [UInt8]? {
        guard count <= UInt64(bytes.count - position) else { return nil }
        defer { position += Int(count) }
        return Array(bytes[position..<(position + Int(count))])
    }

    private mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}
