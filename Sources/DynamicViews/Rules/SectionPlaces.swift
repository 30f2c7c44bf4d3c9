import BacklotJSON

/// Sections group the rows of a list.
struct SectionPlaces: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        let isList = document.configuration?.string("style") == Configuration.Style.list.rawValue
        for node in document.widgets(.section) {
            if !isList {
                remarks.warning(
                    "section-in-scroll",
                    node,
                    "",
                    "A section groups the rows of a list, and this document's style is scroll.",
                    fix: "Set the style to \"list\", or put the widgets into the document itself."
                )
            }
            // Android clients need it.
            if document.dialect.platform == .ios, node.value("padding") != nil {
                remarks.warning(
                    "padding-on-section",
                    node,
                    "padding",
                    "Clients ignore the padding of a section.",
                    fix: "Leave it out, or give its widgets one."
                )
            }
        }
    }
}
