import Backlot
import BacklotMocks

/// Decodes texts in bodies that may hide secrets.
enum HiddenText {
    /// The maximum decompressed size; larger bodies stay unchanged.
    private static let mostInflated = 8 << 20
    /// The most levels of files in files: a gzip file may hold itself.
    static let mostDepth = 8
    /// Shorter texts may be words by chance.
    private static let shortest = 16

    private static let gzip = try? ContentEncoding("gzip")

    /// The content of a gzip file; nil for other bytes, and for files that are damaged or too large.
    static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return nil }
        return try? gzip?.decode(bytes, limit: mostInflated)
    }

    /// The bytes, compressed as a gzip file; nil if that doesn't make them smaller.
    static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard case .bytes(let deflated)? = ContentEncoder(level: 6, streams: 1).encode(.bytes(bytes), .gzip) else {
            return nil
        }
        return deflated
    }

    /// The content of a base64 text (RFC 4648, section 4 or 5), if it is JSON or contains named values.
    static func base64(_ text: String) -> [UInt8]? {
        guard text.utf8.count >= shortest, text.utf8.allSatisfy(isBase64) else { return nil }
        var plain = text.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(plain), let inner = String(validating: bytes, as: UTF8.self),
            inner.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 })
        else { return nil }
        return JSONScalars.of(bytes) != nil || inner.contains("=") || inner.contains(":") ? bytes : nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || "+/-_=".utf8.contains(byte)
    }
}

/// Converts bytes in ISO 8859-1, where each byte is a character.
enum Latin1 {
    /// The text of the bytes.
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    /// The text of the bytes in UTF-8, or in ISO 8859-1 if they aren't UTF-8.
    static func utf8(_ bytes: [UInt8]) -> String { String(validating: bytes, as: UTF8.self) ?? text(bytes) }

    /// The bytes of a text; nil if it has other characters.
    static func bytes(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count ? bytes : nil
    }
}

/// The texts and numbers in JSON, with their keys and positions.
struct JSONScalars {
    /// The maximum nesting of a body: the most that the parser allows.
    static let depthLimit = 512

    /// A text or a number.
    struct Scalar {
        /// The keys on the way to the scalar, without indices.
        let keys: [String]
        /// The text, or the number in its original spelling.
        let text: String
        let isString: Bool
        /// The range of the scalar's bytes, including quotes.
        let range: Range<Int>
    }

    private static let eventData = Array("data:".utf8)

    private let bytes: [UInt8]
    private var position: Int
    private var scalars: [Scalar] = []

    /// The index after a byte order mark, which some programs write before JSON.
    private static func start(_ bytes: [UInt8]) -> Int { bytes.count - SourceText.withoutMark(bytes).count }

    /// The scalars of a JSON text, in order; nil if it isn't JSON.
    static func of(_ bytes: [UInt8]) -> [Scalar]? { of(bytes, start(bytes)..<bytes.count) }

    private static func of(_ bytes: [UInt8], _ range: Range<Int>) -> [Scalar]? {
        guard let first = bytes[range].first(where: { !$0.isJSONSpace }), "{[\"".utf8.contains(first),
            (try? JSONValue(parsing: bytes.span.extracting(range), depthLimit: depthLimit)) != nil
        else { return nil }
        var reader = JSONScalars(bytes: bytes, position: range.lowerBound)
        reader.value([])
        return reader.scalars
    }

    /// The scalars of JSON lines, in order; nil if no line is an object or a list. Lines of server-sent events begin with `data:`.
    static func ofLines(_ bytes: [UInt8]) -> [Scalar]? {
        let lines = bytes[start(bytes)...].split(separator: 0x0A).compactMap { line -> [Scalar]? in
            let line = line.starts(with: eventData) ? line.dropFirst(eventData.count).drop { $0 == 0x20 } : line
            return line.first.map("{[".utf8.contains) == true ? of(bytes, line.indices) : nil
        }
        return lines.isEmpty ? nil : Array(lines.joined())
    }

    private init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position].isJSONSpace || ",:".utf8.contains(bytes[position]) {
            position += 1
        }
    }

    /// Reads a value. The text is known to be valid JSON, so separators needn't be checked.
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
                // Keys further up say nothing about a value, and many values may be deep.
                value(keys.suffix(16) + [key])
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
            while position < bytes.count, !bytes[position].isJSONSpace,
                !",]}".utf8.contains(bytes[position])
            {
                position += 1
            }
            guard !"tfn".utf8.contains(bytes[start]) else { return }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            scalars.append(Scalar(keys: keys, text: text, isString: false, range: start..<position))
        }
    }

    private mutating func string() -> String {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
        let text = bytes[start..<position]
        guard text.contains(UInt8(ascii: "\\")) else {
            return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONValue(parsing: Array(text)))?.string ?? ""
    }
}
