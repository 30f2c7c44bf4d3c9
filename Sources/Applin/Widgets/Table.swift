/// Makes a ``GroupedRowTable`` of one group: rows of cells; nil is an empty cell.
///
/// Source: Applin documentation, Widgets, table, which is announced there. The libraries write it as a grouped_row_table.
public func table(_ rows: [[(any Widget)?]]) -> GroupedRowTable {
    groupedRowTable([rows])
}
