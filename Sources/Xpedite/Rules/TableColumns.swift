import BacklotJSON

/// The columns of a table and their headings go together.
struct TableColumns: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for table in page.parts("table") {
            let cells = page.nodes(.cell, in: table)
            let headings = page.nodes(.heading, in: table)
            checkWidths(cells, "cell", table, &remarks)
            checkWidths(headings, "header", table, &remarks)
            if table.has("cell"), table.has("header"), cells.count != headings.count {
                remarks.warning(
                    "column-counts-differ",
                    table,
                    "header",
                    "There are \(cells.count) columns and \(headings.count) headings.",
                    fix: "Give each column a heading."
                )
            }
            if page.readings.headersMustAgree { checkScroll(headings, table, &remarks) }
        }
    }

    private func checkWidths(_ columns: [WireNode], _ key: String, _ table: WireNode, _ remarks: inout Remarks) {
        let sum = columns.reduce(0) { $0 + ($1.object["width%"]?.number?.double ?? 0) }
        guard sum > 100 else { return }
        remarks.warning(
            "widths-over-100",
            table,
            key,
            "The widths add up to more than 100 %.",
            fix: "Make them 100 at most; columns without a width share what is left."
        )
    }

    private func checkScroll(_ headings: [WireNode], _ table: WireNode, _ remarks: inout Remarks) {
        let given = Set(headings.compactMap { $0.string("scroll") })
        if given.count > 1 {
            remarks.error(
                "headers-disagree",
                table,
                "header",
                "Some headings scroll and some don't, and all must agree.",
                fix: "Give all headings the same \"scroll\"."
            )
        } else if given.count == 1, headings.contains(where: { !$0.has("scroll") }) {
            remarks.warning(
                "scroll-left-out",
                table,
                "header",
                "Some headings say \"scroll\" and some leave it out, and all must agree.",
                fix: "Write it into all of them."
            )
        }
    }
}
