/// What one part of the run found.
struct PartReport {
    /// What was done, in a line.
    var title: String
    var table: Table
    /// What a reader must know to judge the table.
    var notes: [String] = []
    var goals: [Goal]

    /// The title, the table and the notes.
    var lines: [String] {
        [title, ""] + table.lines.map { "  \($0)" } + (notes.isEmpty ? [] : [""]) + notes.map { "  \($0)" }
    }
}
