import BacklotJSON

/// A button of the navigation bar needs a navigation bar.
struct TitleBarButtons: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard !page.page.has("title") else { return }
        for node in page.parts("navigation") where node.object["implementation"]?["style"]?.string == "button" {
            remarks.warning(
                "button-without-title",
                node,
                "implementation/style",
                "A page without a title has no navigation bar, so that the button isn't shown.",
                fix: "Give the page a \"title\"."
            )
        }
    }
}
