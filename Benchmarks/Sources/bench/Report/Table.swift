/// Rows of text, printed with their columns aligned: the first to the left, the others to the right.
struct Table {
    private var rows: [[String]]

    /// A table without rows yet.
    init(columns: [String]) {
        rows = [columns]
    }

    /// Adds a row, which has a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == rows[0].count, "a cell for each column")
        rows.append(cells)
    }

    /// The table's lines, the columns' names first.
    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ").trimmingTrailingBlanks()
        }
    }
}

extension String {
    fileprivate func trimmingTrailingBlanks() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
