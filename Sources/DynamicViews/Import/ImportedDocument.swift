public import BacklotJSON

/// A document that was read leniently: with trailing commas, and with the type names of earlier days.
///
/// All else stays as it is, also what clients ignore.
public struct ImportedDocument: Sendable {
    /// The document after the changes.
    public let value: JSONValue
    /// What was changed: commas first, each kind in the order of the document.
    public let changes: [ImportChange]

    /// Reads a document.
    ///
    /// - Throws: `JSONParseError`, which says where it is no JSON, by line and column of `bytes` as they are.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        let commas = TrailingCommas(in: bytes)
        let value = try JSONValue(parsing: commas.bytes)
        var types = FormerTypes()
        self.value = types.renamed(inDocument: value)
        changes = commas.places.map { .trailingComma(line: $0.line, column: $0.column) } + types.changes
    }

    /// Reads a document.
    ///
    /// - Throws: `JSONParseError`, which says where it is no JSON.
    public init(parsing text: String) throws(JSONParseError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The document as strict JSON, indented by two blanks, with a line break at its end.
    public var json: String { value.indented + "\n" }
}
