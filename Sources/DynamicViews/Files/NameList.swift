public import BacklotJSON

/// The names in a file that lists an app's localisation keys or pictures.
///
/// A list can be JSON: an array of names, an object with the names as keys, or a string catalogue of Xcode, which has such an object
/// under `strings`. It can also be a table of the form `"key" = "value";`, or plain text with a name on each line.
public struct NameList: Sendable, Equatable {
    /// The reason why a list can't be read.
    public enum ParsingError: Error, Equatable, CustomStringConvertible {
        /// The text begins like JSON, but isn't JSON.
        case json(JSONParseError)
        /// The JSON holds something other than names. The text describes it.
        case noNames(String)
        /// The text isn't UTF-8.
        case notUTF8

        /// The problem, as a sentence without its full stop.
        public var description: String {
            switch self {
            case .json(let error): "it is not JSON: \(error)"
            case .noNames(let what): "\(what); write [\"name\", …] or {\"name\": …}"
            case .notUTF8: "it is not UTF-8"
            }
        }
    }

    /// The names.
    public let names: Set<String>

    /// Reads a list.
    public init(parsing bytes: [UInt8]) throws(ParsingError) {
        // Some editors write a byte order mark.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        switch text.first(where: { !$0.isWhitespace }) {
        case "{", "[": names = try Self.names(inJSON: bytes)
        default:
            let lines = Self.withoutComments(text).split(whereSeparator: \.isNewline)
            names = Set(lines.compactMap { Self.name(inLine: $0) })
        }
    }

    /// Removes comments: between `/*` and `*/`, and whole lines that begin with `//` or `#`. In quotes, these signs belong to a name.
    private static func withoutComments(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { "\"/#".contains($0) }) {
            result += rest[..<start]
            rest = rest[start...]
            if rest.first == "#" || rest.hasPrefix("//"),
                result.reversed().first(where: { $0.isNewline || !$0.isWhitespace })?.isNewline ?? true
            {
                rest = rest.drop { !$0.isNewline }
                continue
            }
            if rest.hasPrefix("/*") {
                // `/*/` doesn't end what it begins.
                rest = rest.dropFirst(2).firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            var isEscaped = false
            let end = rest.dropFirst().firstIndex { character in
                defer { isEscaped = !isEscaped && character == "\\" }
                return character.isNewline || character == "\"" && !isEscaped
            }
            let length =
                rest.first != "\"" ? 1 : end.map { rest.distance(from: rest.startIndex, to: $0) + 1 } ?? rest.count
            result += rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        return result + rest
    }

    private static func names(inJSON bytes: [UInt8]) throws(ParsingError) -> Set<String> {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .json(error)
        }
        if let object = value.object { return Set((object["strings"]?.object ?? object).keys) }
        let elements = value.array ?? []
        let names = elements.compactMap(\.string)
        guard names.count == elements.count else { throw .noNames("its array holds something other than strings") }
        return Set(names)
    }

    /// The name on a line: the text in quotes at its start, or the whole line; nil for an empty line and for a comment.
    private static func name(inLine line: Substring) -> String? {
        let line = line.withoutBlanks
        if line.isEmpty { return nil }
        guard line.first == "\"" else { return String(line) }
        var name = ""
        var isEscaped = false
        for character in line.dropFirst() {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else if !isEscaped, character == "\"" {
                return name
            } else {
                name.append(character)
                isEscaped = false
            }
        }
        return nil
    }
}
