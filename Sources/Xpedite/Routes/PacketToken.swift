import BacklotJSON

/// Finds the token in the readable part of a packet, so that the response has it even if the packet is cut short or isn't JSON.
enum PacketToken {
    private static let key = Array(#""token""#.utf8)

    /// The text of the first member `token` at the top level; nil without one.
    static func find(in bytes: [UInt8]) -> String? {
        var depth = 0
        var position = skipBlanks(from: 0, in: bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return nil }
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                guard let end = endOfString(at: position, in: bytes) else { return nil }
                let isToken = depth == 1 && bytes[position..<end].elementsEqual(key)
                position = end
                guard isToken, let start = value(after: end, in: bytes) else { continue }
                guard bytes[start] == UInt8(ascii: "\""), let valueEnd = endOfString(at: start, in: bytes) else {
                    return nil
                }
                return (try? JSONValue(parsing: Array(bytes[start..<valueEnd])))?.string
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The index after the string that begins at an index; nil for a string without an end.
    private static func endOfString(at start: Int, in bytes: [UInt8]) -> Int? {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// The index of the value after a colon; nil without a colon, or without a value.
    private static func value(after end: Int, in bytes: [UInt8]) -> Int? {
        let colon = skipBlanks(from: end, in: bytes)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
        let start = skipBlanks(from: colon + 1, in: bytes)
        return start < bytes.count ? start : nil
    }

    private static func skipBlanks(from start: Int, in bytes: [UInt8]) -> Int {
        var position = start
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
        return position
    }
}
