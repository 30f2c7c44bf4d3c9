/// Cases of a table with one in each line: two texts with an arrow between. `⏎` stands for a line break, `␣` for a blank at an
/// end, `⍽` for one that doesn't break, `␀` for the character 0, and `∅` for an empty text.
package func cases(_ table: String) -> [(String, String)] {
    columns(table).map { ($0[0], $0[1]) }
}

/// The same with three texts in each line.
package func triples(_ table: String) -> [(String, String, String)] {
    columns(table).map { ($0[0], $0[1], $0[2]) }
}

private func columns(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { line in
        line.split(separator: " → ", omittingEmptySubsequences: false).map { column in
            [("⏎", "\n"), ("␣", " "), ("⍽", "\u{A0}"), ("␀", "\u{0}")]
                .reduce(column == "∅" ? "" : String(column)) { $0.replacing($1.0, with: $1.1) }
        }
    }
}
