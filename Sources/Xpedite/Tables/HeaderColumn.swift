import Backlot
import BacklotJSON

/// The heading of a column of a table.
public struct HeaderColumn: Column, Equatable {
    /// What the headings do while the rows are scrolled.
    public enum Scroll: String, Sendable {
        /// They scroll with the rows: the default.
        case on
        /// They stay.
        case off
    }

    /// The heading.
    public let text: String
    /// How it looks.
    public var format = ColumnFormat()
    var scroll: Scroll?

    init(text: String) { self.text = text }

    init(_ wire: WireReader) throws(WireError) {
        text = try wire.required("text", try wire.string("text"))
        format = try ColumnFormat(wire)
        scroll = try wire.name("scroll", Scroll.init(rawValue:))
    }

    func encode(into writer: inout JSONWriter, scroll common: Scroll?) {
        writer.object {
            $0.field("text", text)
            $0.format(format)
            $0.field("scroll", (scroll ?? common)?.rawValue)
        }
    }

    /// Says whether the headings scroll with the rows. Those of one table must agree: what one says, goes out for all.
    public consuming func scroll(_ scroll: Scroll?) -> HeaderColumn {
        self.scroll = scroll
        return consume self
    }
}

/// Makes the heading of a column.
public func heading(_ text: String) -> HeaderColumn {
    HeaderColumn(text: text)
}
