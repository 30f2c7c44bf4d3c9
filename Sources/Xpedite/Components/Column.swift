import Backlot
import BacklotJSON

/// A column of a table, or the heading of one.
///
/// Source: Xpedite API reference, component-table, column keys.
public protocol Column: TextStyled {
    /// The look of the column.
    var format: ColumnFormat { get set }
}

/// The look of a column of a table, or of its heading.
public struct ColumnFormat: Sendable, Equatable {
    var width: Double?
    var lines: Int?
    var style = TextStyle()

}

extension Column {
    /// The look of the text.
    public var style: TextStyle {
        get { format.style }
        set { format.style = newValue }
    }

    /// Gives the column a share of the table's width, in per cent. Columns without one share the rest.
    public consuming func width(_ percent: Double?) -> Self { changing(self) { $0.format.width = percent } }

    /// Restricts the number of lines; 0 for no restriction. Without it, 1.
    public consuming func lines(_ lines: Int?) -> Self { changing(self) { $0.format.lines = lines } }
}

/// A column of a table, which shows one field of each row.
public struct CellColumn: Column, Equatable {
    /// The field.
    public let field: String
    /// The look of the column.
    public var format = ColumnFormat()

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("field", field)
            $0.format(format)
        }
    }
}

extension CellColumn {
    static let vocabulary = Kind(
        "cell",
        as: [.cell],
        "A column of a table.",
        keys: [.required("field", .filled, "The field of the rows that the column shows.")] + Key.columnFormat
    )
}

/// Makes a column that shows a field of each row.
public func cell(_ field: String) -> CellColumn {
    CellColumn(field: field)
}

/// The heading of a column of a table.
public struct HeaderColumn: Column, Equatable {
    /// The behaviour of the headings while the rows are scrolled.
    public enum Scroll: String, Sendable, CaseIterable {
        /// They scroll with the rows: the default.
        case on
        /// They stay.
        case off
    }

    /// The heading.
    public let text: String
    /// The look of the heading.
    public var format = ColumnFormat()
    var scroll: Scroll?

    func encode(into writer: inout JSONWriter, scroll common: Scroll?) {
        writer.object {
            $0.field("text", text)
            $0.format(format)
            $0.field("scroll", (scroll ?? common)?.rawValue)
        }
    }

    /// Chooses whether the headings scroll with the rows. All headings of a table must agree: the first choice goes out for all.
    public consuming func scroll(_ scroll: Scroll?) -> HeaderColumn { changing(self) { $0.scroll = scroll } }
}

extension HeaderColumn {
    static let vocabulary = Kind(
        "header",
        as: [.header],
        "The heading of a column of a table.",
        keys: [
            .required("text", .string, "The heading."),
            .optional(
                "scroll",
                .names(["on": "They scroll with the rows.", "off": "They stay above the rows."]),
                "The behaviour of the headings while the rows are scrolled; all headings of a table must agree.",
                default: "on"
            ),
        ] + Key.columnFormat
    )
}

/// Makes the heading of a column.
public func heading(_ text: String) -> HeaderColumn {
    HeaderColumn(text: text)
}

extension Role {
    static let cell = Role("cell", labels: ["field"])
    static let header = Role("header", labels: ["text"])
}

extension Key {
    /// The keys that columns and their headings share.
    fileprivate static let columnFormat: [Key] =
        fontStyle + [
            .optional("width%", .number(0...Double.greatestFiniteMagnitude), "The share of the table's width."),
            .optional("lines", .integer(0...Int64.max), "The largest number of lines; 0 for any.", default: 1),
            .optional(
                "align",
                .names([
                    "left": "At the left.", "right": "At the right.", "center": "In the middle.",
                    "centre": "In the middle.",
                ]),
                "The place of the text in its column.",
                default: "left",
                rule: "unknown-align"
            ),
        ]
}

extension JSONWriter {
    fileprivate mutating func format(_ format: ColumnFormat) {
        field("width%", format.width)
        style(format.style)
        field("lines", format.lines)
    }
}
