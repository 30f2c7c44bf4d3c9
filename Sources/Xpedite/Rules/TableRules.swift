import Backlot

/// Rules about the columns of tables and their headings.
enum TableRules {
    /// Columns fit into their table.
    @Sendable static func widths(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) {
            for key in ["cell", "header"] {
                let sum = page.tree.contents(of: table, under: key).reduce(0) { $0 + ($1.number("width%") ?? 0) }
                guard sum > 100 else { continue }
                remarks.warning(
                    "widths-over-100",
                    at: table,
                    key,
                    message: "The widths add up to more than 100 %.",
                    fix: "Make their sum 100 or less; columns without a width share the rest."
                )
            }
        }
    }

    /// Each column has a heading.
    @Sendable static func counts(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) where table.has("cell") && table.has("header") {
            let cells = page.tree.contents(of: table, under: "cell").count
            let headings = page.tree.contents(of: table, under: "header").count
            guard cells != headings else { continue }
            remarks.warning(
                "column-counts-differ",
                at: table,
                "header",
                message: "The table has \(cells) columns and \(headings) headings.",
                fix: "Give each column a heading."
            )
        }
    }

    /// "All header entries must agree" about `scroll`.
    @Sendable static func scrolling(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) {
            let headings = page.tree.contents(of: table, under: "header")
            let given = Set(headings.compactMap { $0.string("scroll") })
            if given.count > 1 {
                remarks.error(
                    "headers-disagree",
                    at: table,
                    "header",
                    message: "Some headings scroll and some don't, but all headings of a table must agree.",
                    fix: "Give all headings the same \"scroll\"."
                )
            } else if given.count == 1, headings.contains(where: { !$0.has("scroll") }) {
                remarks.warning(
                    "scroll-left-out",
                    at: table,
                    "header",
                    message: "Some headings have \"scroll\" and some don't, but all headings of a table must agree.",
                    fix: "Give all headings the same \"scroll\"."
                )
            }
        }
    }
}
