import Backlot
import BacklotJSON

/// How a column of a table, or its heading, looks.
///
/// Source: Xpedite API reference, component-table, column keys.
public struct ColumnFormat: Sendable, Equatable {
    var width: Double?
    var lines: Int?
    var style = TextStyle()

    init() {}

    init(_ wire: WireReader) throws(WireError) {
        width = try wire.number("width%")
        lines = try wire.integer("lines")
        style = try TextStyle(wire)
        guard style.align != .justify else { throw wire.error("align", "can't be justify in a column") }
    }
}

/// A column of a table, or the heading of one.
public protocol Column: TextStyled {
    /// How it looks.
    var format: ColumnFormat { get set }
}

extension Column {
    /// How the text looks.
    public var style: TextStyle {
        get { format.style }
        set { format.style = newValue }
    }

    /// Gives it a share of the table's width, in per cent. Columns without one share what is left.
    public consuming func width(_ percent: Double?) -> Self {
        format.width = percent
        return consume self
    }

    /// Restricts the number of lines; 0 for no restriction. Without it, 1.
    public consuming func lines(_ lines: Int?) -> Self {
        format.lines = lines
        return consume self
    }
}

extension JSONWriter {
    mutating func format(_ format: ColumnFormat) {
        field("width%", format.width)
        style(format.style)
        field("lines", format.lines)
    }
}
