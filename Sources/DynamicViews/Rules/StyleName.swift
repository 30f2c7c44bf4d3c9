import BacklotJSON

/// A style that clients don't know is taken for scroll.
struct StyleName: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        guard let node = document.configuration, let style = node.value("style"),
            style.string.flatMap(Configuration.Style.init(rawValue:)) == nil
        else { return }
        remarks.warning(
            "unknown-style",
            node,
            "style",
            "Clients don't know the style \(style.summary), and take it for \"scroll\".",
            fix: "Write \"scroll\" or \"list\"."
        )
    }
}
