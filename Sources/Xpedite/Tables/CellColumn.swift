import Backlot
import BacklotJSON

/// A column of a table: which field of the rows it shows.
public struct CellColumn: Column, Equatable {
    /// The field.
    public let field: String
    /// How it looks.
    public var format = ColumnFormat()

    init(field: String) { self.field = field }

    init(_ wire: WireReader) throws(WireError) {
        field = try wire.required("field", try wire.string("field"))
        format = try ColumnFormat(wire)
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("field", field)
            $0.format(format)
        }
    }
}

/// Makes a column that shows a field of each row.
public func cell(_ field: String) -> CellColumn {
    CellColumn(field: field)
}
