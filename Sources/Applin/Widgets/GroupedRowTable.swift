public import Backlot

/// Widgets in rows and columns, the rows in groups.
///
/// Source: Applin documentation, Widgets, grouped_row_table. The key on the wire is `row_groups`, as in its examples: its
/// list of attributes says `widgets`, which no client reads.
public struct GroupedRowTable: Widget, KeyedObject {
    /// Groups of rows of cells; nil is an empty cell.
    public let rowGroups: [[[(any Widget)?]]]
    var spacing: Double?

    /// `grouped_row_table`
    public var typ: StaticString { "grouped_row_table" }

    /// The widgets of all cells, row by row.
    public var children: [any Widget] { rowGroups.joined().joined().compactMap(\.self) }

    static let vocabulary = Kind(
        GroupedRowTable(rowGroups: []),
        "Widgets in rows and columns, the rows in groups.",
        misnomers: ["widgets": "Write \"row_groups\": groups of rows of widgets."],
        formerNames: ["table": "Write \"grouped_row_table\", with one group."]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("spacing", spacing).optional(
            "The distance between cells, in device-independent pixels, 0 or more.",
            .float
        )
        keys("row_groups", .array(.array(.array(.nullable(.object(.widget)))))) { writer, name in
            writer.array(name) { writer in
                for group in rowGroups { encode(group, into: &writer) }
            }
        }
        .recommended("Groups of rows of cells; null leaves a cell empty.", otherwise: [])
    }

    private func encode(_ group: [[(any Widget)?]], into writer: inout JSONWriter) {
        writer.array { writer in
            for row in group {
                encode(row, into: &writer)
            }
        }
    }

    private func encode(_ row: [(any Widget)?], into writer: inout JSONWriter) {
        writer.array { writer in
            for cell in row {
                if let cell {
                    cell.encode(into: &writer)
                } else {
                    writer.null()
                }
            }
        }
    }

    /// Sets the distance between cells, in device-independent pixels, 0 or more.
    public consuming func spacing(_ pixels: Double?) -> GroupedRowTable { changing(self) { $0.spacing = pixels } }
}

/// Makes a ``GroupedRowTable``: rows, or groups of them.
///
/// ```swift
/// groupedRowTable {
///     rowGroup {
///         for day in days { row(text(day.name), text(day.opens), day.closes.map { text($0) }) }
///     }
///     row(text("Sunday"), text("closed"))
/// }
/// ```
/// Consecutive rows outside of a group also form a group.
public func groupedRowTable(@ListBuilder<RowGroup> _ groups: () -> [RowGroup]) -> GroupedRowTable {
    var rowGroups: [[[(any Widget)?]]] = []
    var isOpen = false
    for group in groups() {
        if isOpen, group.isOpen { rowGroups[rowGroups.count - 1] += group.rows } else { rowGroups.append(group.rows) }
        isOpen = group.isOpen
    }
    return GroupedRowTable(rowGroups: rowGroups)
}

/// Rows of a ``GroupedRowTable`` that belong together.
public struct RowGroup: Sendable {
    let rows: [[(any Widget)?]]
    /// Whether the next row belongs to this group.
    var isOpen = false
}

/// Makes a ``RowGroup``.
///
/// ```swift
/// groupedRowTable {
///     rowGroup { row(text("Monday"), text("9:00")) }
///     rowGroup { row(text("Sunday"), text("closed")) }
/// }
/// ```
public func rowGroup(@ListBuilder<TableRow> _ rows: () -> [TableRow]) -> RowGroup {
    RowGroup(rows: rows().map(\.cells))
}

extension ListBuilder where Element == RowGroup {
    /// A row outside of a group.
    public static func buildExpression(_ row: TableRow) -> [RowGroup] { [RowGroup(rows: [row.cells], isOpen: true)] }
}

/// A row of a ``GroupedRowTable``.
public struct TableRow: Sendable {
    let cells: [(any Widget)?]
}

/// Makes a ``TableRow`` of cells; nil is an empty cell.
///
/// ```swift
/// groupedRowTable { row(text("Sunday"), nil) }
/// ```
public func row(_ first: (any Widget)?, _ more: (any Widget)?...) -> TableRow { TableRow(cells: [first] + more) }

/// Makes a ``TableRow`` of cells, with `if` and `for`; nil is an empty cell, as in `if isOpen { text("9:00") } else { nil }`.
///
/// ```swift
/// groupedRowTable {
///     row { for day in days { text(day.opens) } }
/// }
/// ```
public func row(@ListBuilder<(any Widget)?> _ cells: () -> [(any Widget)?]) -> TableRow { TableRow(cells: cells()) }

/// Makes a ``GroupedRowTable`` of groups of rows of cells made elsewhere; nil is an empty cell.
///
/// ```swift
/// let week: [[(any Widget)?]] = days.map { [text($0.name), text($0.opens)] }
/// groupedRowTable([week, [[text("Sunday"), nil]]])
/// ```
public func groupedRowTable(_ rowGroups: [[[(any Widget)?]]]) -> GroupedRowTable {
    GroupedRowTable(rowGroups: rowGroups)
}

/// Makes a ``GroupedRowTable`` of one group: rows of cells made elsewhere; nil is an empty cell.
///
/// Source: Applin documentation, Widgets, table, which is announced there. The libraries write it as a grouped_row_table.
///
/// ```swift
/// table(days.map { [text($0.name), text($0.opens)] })
/// ```
public func table(_ rows: [[(any Widget)?]]) -> GroupedRowTable {
    groupedRowTable([rows])
}
