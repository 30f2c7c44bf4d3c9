/// A web component shows a page or a piece of HTML.
struct WebSource: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.parts("web") where node.has("web") == node.has("content") {
            let what = node.has("web") ? "both \"web\" and \"content\"" : "neither \"web\" nor \"content\""
            remarks.error("web-source", node, "", "It has \(what).", fix: "Give it exactly one of them.")
        }
    }
}
