import BacklotJSON
import BacklotMocks

/// The texts and numbers of a JSON text, with the keys that they stand under and their places.
struct JSONScalars {
    /// A text or a number.
    struct Scalar {
        /// The keys that lead to it, without indices.
        let keys: [String]
        /// The text, or the number as it is written.
        let text: String
        let isString: Bool
        /// Its bytes, quotes included.
        let range: Range<Int>
    }

    private static let eventData = Array("data:".utf8)

    private let bytes: [UInt8]
    private var position = 0
    private var scalars: [Scalar] = []

    /// The scalars of a text, in their order; nil where it is no JSON.
    static func of(_ bytes: [UInt8]) -> [Scalar]? {
        guard let first = bytes.first(where: { !$0.isJSONSpace }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\""),
            (try? JSONValue(parsing: bytes)) != nil
        else { return nil }
        var reader = JSONScalars(bytes: bytes)
        reader.value([])
        return reader.scalars
    }

    /// The scalars of JSON in lines, in their order; nil where no line is an object or a list. The lines of server-sent events
    /// begin with `data:`.
    static func ofLines(_ bytes: [UInt8]) -> [Scalar]? {
        var scalars: [Scalar]?
        for line in bytes.split(separator: 0x0A) {
            let line = line.starts(with: eventData) ? line.dropFirst(eventData.count).drop { $0 == 0x20 } : line
            guard line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[") else { continue }
            guard let found = of(Array(line)) else { continue }
            scalars =
                (scalars ?? [])
                + found.map { scalar in
                    let range =
                        (scalar.range.lowerBound + line.startIndex)..<(scalar.range.upperBound + line.startIndex)
                    return Scalar(keys: scalar.keys, text: scalar.text, isString: scalar.isString, range: range)
                }
        }
        return scalars
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A].contains(bytes[position]) { position += 1 }
    }

    /// Reads a value. The text is known to be JSON, so that what separates its parts need not be looked at.
    private mutating func value(_ keys: [String]) {
        skipBlanks()
        guard position < bytes.count else { return }
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "{"):
            position += 1
            skipBlanks()
            while position < bytes.count, bytes[position] != UInt8(ascii: "}") {
                let key = string()
                value(keys + [key])
                skipBlanks()
            }
            position += 1
        case UInt8(ascii: "["):
            position += 1
            skipBlanks()
            while position < bytes.count, bytes[position] != UInt8(ascii: "]") {
                value(keys)
                skipBlanks()
            }
            position += 1
        case UInt8(ascii: "\""):
            let text = string()
            scalars.append(Scalar(keys: keys, text: text, isString: true, range: start..<position))
        default:
            while position < bytes.count, ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains(bytes[position]) {
                position += 1
            }
            guard !"tfn".utf8.contains(bytes[start]) else { return }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            scalars.append(Scalar(keys: keys, text: text, isString: false, range: start..<position))
        }
    }

    private mutating func string() -> String {
        let start = position
        var hasEscapes = false
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
            }
            position += 1
        }
        position += 1
        let end = min(position, bytes.count)
        guard hasEscapes else { return String(decoding: bytes[(start + 1)..<(end - 1)], as: UTF8.self) }
        return (try? JSONValue(parsing: Array(bytes[start..<end])))?.string ?? ""
    }
}
