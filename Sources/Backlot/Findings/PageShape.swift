/// The shape of a JSON document: which keys its objects have, of which types they say they are, and what stands in what. Texts,
/// numbers and the lengths of lists don't count, so that one page with other data has the same shape.
enum PageShape {
    private static let typeKeys = [#""type""#, #""typ""#].map { Array($0.utf8) }

    /// A number that two different shapes almost never share.
    static func fingerprint(_ json: [UInt8]) -> UInt64 {
        var levels = [Level(path: 1)]
        var seen: Set<UInt64> = []
        var position = 0
        func note(_ mark: UInt64) { if seen.count < maximumMembers { seen.insert(mark) } }
        while position < json.count {
            let byte = json[position]
            let path = levels[levels.count - 1].member
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                note(mix(path, UInt64(byte)))
                levels.append(Level(path: mix(path, UInt64(byte))))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if levels.count > 1 { levels.removeLast() }
            case UInt8(ascii: "\""):
                let end = endOfString(at: position, in: json)
                let mark = FNV1a.hash(json.span.extracting(position..<end))
                if end < json.count, json[end] == UInt8(ascii: ":") {
                    levels[levels.count - 1].begin(
                        mark,
                        isType: typeKeys.contains { json[position..<end].elementsEqual($0) }
                    )
                } else if levels[levels.count - 1].isType {
                    levels[levels.count - 1].take(type: mark)
                    note(levels[levels.count - 1].path)
                } else {
                    note(mix(path, UInt64(UInt8(ascii: "\""))))
                }
                position = end
                continue
            case UInt8(ascii: "t"), UInt8(ascii: "f"): note(mix(path, UInt64(UInt8(ascii: "t"))))
            case UInt8(ascii: "n"): note(mix(path, UInt64(byte)))
            // All digits of a number leave one mark.
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): note(mix(path, UInt64(UInt8(ascii: "0"))))
            default: break
            }
            position += 1
        }
        return seen.reduce(UInt64(seen.count)) { $0 &+ $1 }
    }

    private static let maximumMembers = 10_000

    /// An object or array that is open.
    private struct Level {
        /// Where it stands, and its type.
        var path: UInt64
        /// Where the value stands that comes next.
        var member: UInt64
        /// Whether the value that comes next names the type.
        var isType = false

        init(path: UInt64) { (self.path, member) = (path, path) }

        mutating func begin(_ key: UInt64, isType: Bool) {
            member = PageShape.mix(path, key)
            self.isType = isType
        }

        mutating func take(type: UInt64) {
            path = PageShape.mix(path, type)
            isType = false
        }
    }

    private static func endOfString(at start: Int, in json: [UInt8]) -> Int {
        var position = start + 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, json.count)
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var value = left &* 0x9E37_79B9_7F4A_7C15 ^ right &* 0xC2B2_AE3D_27D4_EB4F
        value ^= value >> 29
        return value &* 0xBF58_476D_1CE4_E5B9
    }
}
