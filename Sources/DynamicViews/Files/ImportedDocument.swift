public import Backlot

/// A document that was read leniently: it may have had trailing commas, and former names of types.
///
/// Everything else stays unchanged, including keys that clients ignore.
public struct ImportedDocument: Sendable {
    /// The document after the changes.
    public let value: JSONValue
    /// The changes: commas first, each kind in the order of the document.
    public let changes: [ImportChange]
    /// Finds the lines of the document's parts.
    package let lines: SourceLines

    /// Reads a document.
    ///
    /// - Throws: `JSONParseError` for a text that isn't JSON, with the line and column in `bytes`.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        let commas = TrailingCommas(in: bytes)
        let value = try JSONValue(parsing: commas.bytes)
        var types = FormerTypes()
        self.value = types.renamed(inDocument: value)
        lines = SourceLines(ofJSON: commas.bytes)
        changes = commas.places.map { .trailingComma(line: $0.line, column: $0.column) } + types.changes
    }

    /// Reads a document.
    ///
    /// - Throws: `JSONParseError` for a text that isn't JSON, with the line and column.
    public init(parsing text: String) throws(JSONParseError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The document as strict JSON, indented by two blanks, with a line break at its end.
    public var json: String { value.indented + "\n" }
}

/// A change that the import made to a document, so that every client can read it.
public enum ImportChange: Sendable, Equatable, CustomStringConvertible {
    /// A comma before the end of an array or object was removed. Line and column are counted from 1.
    case trailingComma(line: Int, column: Int)
    /// A widget's type had a former name. The pointer is a JSON Pointer (RFC 6901).
    case formerType(pointer: String, from: String, to: String)

    /// The location, and the change.
    public var description: String {
        switch self {
        case .trailingComma(let line, let column): "line \(line), column \(column): a trailing comma is removed"
        case .formerType(let pointer, let from, let to): "\(pointer): \"\(from)\" becomes \"\(to)\""
        }
    }
}

/// Replaces former type names with the current ones.
private struct FormerTypes {
    private(set) var changes: [ImportChange] = []

    /// The document, or a widget by itself, with current names.
    mutating func renamed(inDocument value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        if object["type"] != nil, object["widgets"] == nil { return renamed(value, at: "") }
        rename(in: "widgets", of: &object, at: "")
        return .object(object)
    }

    private mutating func renamed(_ widget: JSONValue, at pointer: String) -> JSONValue {
        guard var object = widget.object else { return widget }
        if let type = object["type"]?.string, let name = DynamicViewsVocabulary.formerTypes[type] {
            object["type"] = .string(name)
            changes.append(.formerType(pointer: "\(pointer)/type", from: type, to: name))
        }
        rename(in: "items", of: &object, at: pointer)
        return .object(object)
    }

    private mutating func rename(in key: String, of object: inout JSONObject, at pointer: String) {
        guard let widgets = object[key]?.array else { return }
        var renamed: [JSONValue] = []
        for (index, widget) in widgets.enumerated() {
            renamed.append(self.renamed(widget, at: "\(pointer)/\(key)/\(index)"))
        }
        object[key] = .array(renamed)
    }
}

/// Finds commas before the end of an array or object, and replaces them with blanks. Some clients' parsers accept such commas; JSON
/// forbids them (RFC 8259, sections 4 and 5).
struct TrailingCommas {
    /// The document with blanks instead of the commas, so that all positions stay the same.
    private(set) var bytes: [UInt8]
    /// The lines and columns of the commas, counted from 1.
    private(set) var places: [(line: Int, column: Int)] = []

    init(in document: [UInt8]) {
        bytes = document
        var line = 1
        var column = 0
        var isInString = false
        var isEscaped = false
        /// The last byte that is neither white space nor inside a string. If it is a comma after a value, `comma` has its location.
        var last: UInt8 = 0
        var comma: (offset: Int, line: Int, column: Int)?
        for (offset, byte) in document.enumerated() {
            if byte & 0xC0 != 0x80 { column += 1 }
            if byte == 0x0A { (line, column) = (line + 1, 0) }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case _ where byte.isJSONSpace: continue
            case UInt8(ascii: ",") where Self.endsValue(last): comma = (offset, line, column)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let found = comma {
                    bytes[found.offset] = 0x20
                    places.append((found.line, found.column))
                }
                comma = nil
            default: comma = nil
            }
            isInString = byte == UInt8(ascii: "\"")
            last = byte
        }
    }

    /// Whether a value can end with `last`. For a string, `last` is the opening quote, because the bytes after it are skipped.
    private static func endsValue(_ byte: UInt8) -> Bool {
        ![0, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":")].contains(byte)
    }
}
