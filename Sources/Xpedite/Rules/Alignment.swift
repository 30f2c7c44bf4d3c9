import BacklotJSON

/// How texts are aligned; columns can't be justified.
struct Alignment: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.nodes {
            guard let value = node.object["align"], !value.isNull else { continue }
            let align = value.string.flatMap(Align.init(wire:))
            let isColumn = node.kind == .cell || node.kind == .heading
            guard align == nil || isColumn && align == .justify else { continue }
            let justify = isColumn ? "" : ", \"justify\""
            remarks.error(
                "unknown-align",
                node,
                "align",
                "Clients don't know \(value.description.excerpt) for \"align\" here.",
                fix: "Write \"left\", \"right\", \"centre\"\(justify)."
            )
        }
    }
}
