import BacklotJSON

/// A stored value means one option: clients compare it with an option's id, and with the last dotted component of it.
struct OptionIDs: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for node in document.widgets(.multiValue) {
            var seen: [String: String] = [:]
            for option in document.contents(of: node) {
                guard let id = option.string("id") else { continue }
                let component = id.lastDottedComponent
                guard let other = seen[component] else {
                    seen[component] = id
                    continue
                }
                let message =
                    other == id
                    ? "Another option has the id \"\(id.excerpt)\" too."
                    : "\"\(component.excerpt)\" is the last component of \"\(other.excerpt)\" too, and clients mix them up."
                remarks.error(
                    "duplicate-option",
                    option,
                    "id",
                    message,
                    fix: "Give it an id whose part after the last dot is its own."
                )
            }
        }
    }
}
