/// What a form saves is sent under its id.
struct FormSaving: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.parts("form") where node.has("save") && (node.string("id") ?? "").isEmpty {
            remarks.error(
                "save-without-id",
                node,
                "save",
                "The form's values are sent under its id, and it has none.",
                fix: "Give the form an \"id\"."
            )
        }
    }
}
