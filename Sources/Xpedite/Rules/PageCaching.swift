import BacklotJSON

/// A page is cached by its id, and for a time.
struct PageCaching: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        let node = page.page
        guard let disposition = node.object["disposition"], !disposition.isNull else { return }
        if node.string("id") == nil {
            remarks.error(
                "disposition-without-id",
                node,
                "disposition",
                "A page is cached by its id, and this one has none.",
                fix: "Give the page an \"id\"."
            )
        }
        if let object = disposition.object {
            guard object["type"]?.string == "expiry" else { return reportForm(node, &remarks) }
            guard let seconds = object["seconds"]?.number?.int64, seconds > 0 else {
                return remarks.error(
                    "seconds-not-positive",
                    node,
                    "disposition/seconds",
                    "A page can only be cached for 1 second or more.",
                    fix: "Write a whole number above 0, or leave out \"disposition\"."
                )
            }
        } else if disposition.string != "permanent" {
            reportForm(node, &remarks)
        }
    }

    private func reportForm(_ node: WireNode, _ remarks: inout Remarks) {
        remarks.error(
            "malformed-disposition",
            node,
            "disposition",
            "Clients don't know this disposition.",
            fix: "Write \"permanent\" or {\"type\":\"expiry\",\"seconds\":3600}."
        )
    }
}
