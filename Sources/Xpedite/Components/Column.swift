public import Backlot

/// A column of a table, or the heading of one.
///
/// Source: Xpedite API reference, component-table, column keys.
public protocol Column: TextStyled {
    /// The look of the column.
    var format: ColumnFormat { get set }
}

/// The place of a text in its column, without `justify`.
///
/// Source: Xpedite API reference, component-table, column keys.
public enum ColumnAlign: String, Sendable, CaseIterable {
    /// At the left.
    case left
    /// At the right.
    case right
    /// In the middle.
    case center = "centre"
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

    /// Aligns the text in its column; left by default.
    public consuming func align(_ align: ColumnAlign?) -> Self {
        changing(self) { $0.style.align = align.flatMap { Align(rawValue: $0.rawValue) } }
    }

    /// Restricts the number of lines; 0 for no restriction. Without it, 1.
    public consuming func lines(_ lines: Int?) -> Self { changing(self) { $0.format.lines = lines } }
}

/// A column of a table, which shows one field of each row.
public struct CellColumn: Column, Equatable, KeyedObject {
    /// The field.
    public let field: String
    /// The look of the column.
    public var format = ColumnFormat()

    package var wireName: StaticString { "cell" }
    package static var roles: [Role] { [.cell] }
    static let vocabulary = Kind(CellColumn(field: ""), "A column of a table.")

    package func keys(_ keys: inout some Keys) {
        keys("field", field).required("The field of the rows that the column shows.", .filled)
        keys.format(format)
    }
}

/// Makes a column that shows a field of each row.
///
/// ```swift
/// table("listCustomers") { cell("name").width(60); cell("score").align(.right) }
/// ```
public func cell(_ field: String) -> CellColumn {
    CellColumn(field: field)
}

/// The heading of a column of a table.
public struct HeaderColumn: Column, Equatable, KeyedObject {
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

    package var wireName: StaticString { "header" }
    package static var roles: [Role] { [.header] }
    static let vocabulary = Kind(HeaderColumn(text: ""), "The heading of a column of a table.")

    package func keys(_ keys: inout some Keys) {
        keys("text", text).required("The heading.")
        keys.format(format)
        keys("scroll", scroll?.rawValue).optional(
            "The behaviour of the headings while the rows are scrolled; all headings of a table must agree.",
            .names(["on": "They scroll with the rows.", "off": "They stay above the rows."]),
            default: "on"
        )
    }

    /// Chooses whether the headings scroll with the rows. All headings of a table must agree: the first choice is sent for all.
    public consuming func scroll(_ scroll: Scroll?) -> HeaderColumn { changing(self) { $0.scroll = scroll } }
}

/// Makes the heading of a column.
///
/// ```swift
/// table("listCustomers") { cell("name"); cell("score") }
///     .header { heading("Name"); heading("Score").align(.right) }
/// ```
public func heading(_ text: String) -> HeaderColumn {
    HeaderColumn(text: text)
}

extension Role {
    static let cell = Role("cell", labels: ["field"])
    static let header = Role("header", labels: ["text"])
}

extension KeyVisitor where Self: ~Copyable {
    /// The keys that columns and their headings share.
    fileprivate mutating func format(_ format: ColumnFormat) {
        self("width%", format.width).optional(
            "The share of the table's width.",
            .number(0...Double.greatestFiniteMagnitude)
        )
        font(format.style)
        self("align", format.style.align?.rawValue).optional(
            "The place of the text in its column.",
            .names([
                "left": "At the left.", "right": "At the right.", "center": "In the middle.",
                "centre": "In the middle.",
            ]),
            default: "left",
            rule: "unknown-align"
        )
        self("lines", format.lines).optional(
            "The largest number of lines; 0 for any.",
            .integer(0...Int64.max),
            default: 1
        )
    }
}
