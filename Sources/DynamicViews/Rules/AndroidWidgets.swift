/// What Android clients don't know.
struct AndroidWidgets: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        guard document.dialect.platform == .android else { return }
        for node in document.widgets where node.kind == .multiValue || node.kind == .developerMode {
            remarks.error(
                "not-on-android",
                node,
                "type",
                "Android clients don't know \(node.type), and refuse the whole document for it.",
                fix: "Leave it out for Android."
            )
        }
    }
}
