/// Each field of a form has a name of its own.
struct FieldNames: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for form in page.parts("form") {
            var seen: Set<String> = []
            for node in page.nodes(.field, in: form) where node.type != "section" {
                guard let name = node.string("name"), !name.isEmpty else {
                    remarks.error(
                        "missing-name",
                        node,
                        "name",
                        "A field without a name sends no value.",
                        fix: "Add \"name\", unique in the form."
                    )
                    continue
                }
                guard !seen.insert(name).inserted else { continue }
                remarks.error(
                    "duplicate-name",
                    node,
                    "name",
                    "Another field of the form is called \"\(name.excerpt)\" too, and only one value arrives.",
                    fix: "Give this one a name of its own."
                )
            }
        }
    }
}
