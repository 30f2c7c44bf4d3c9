import BacklotJSON

/// A tap calls a method that the app has registered.
struct RegisteredMethods: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.nodes {
            switch (node.kind, node.type) {
            case (.component, "button"), (.entry, _): check(node, "method", page, &remarks)
            case (.component, "form"):
                check(node, "save", page, &remarks)
                check(node, "cancel", page, &remarks)
            case (.component, "table"):
                check(node, "clickRow", page, &remarks)
                if let name = node.object["data"]?["dynamic"]?.string {
                    check(name, node, "data/dynamic", page, &remarks)
                }
            default: break
            }
        }
    }

    private func check(_ node: WireNode, _ key: String, _ page: CheckedPage, _ remarks: inout Remarks) {
        guard node.has(key) else { return }
        guard let name = node.object[key]?["function"]?.string else {
            remarks.error(
                "missing-key",
                node,
                "\(key)/function",
                "\"function\" is required here.",
                fix: "Name the method: {\"function\":\"home\"}."
            )
            return
        }
        check(name, node, "\(key)/function", page, &remarks)
    }

    private func check(
        _ name: String,
        _ node: WireNode,
        _ key: String,
        _ page: CheckedPage,
        _ remarks: inout Remarks
    ) {
        guard let methods = page.facts.methods, !methods.contains(name) else { return }
        remarks.error(
            "unregistered-method",
            node,
            key,
            "No method \"\(name.excerpt)\" is registered.",
            fix: "Register it with app.method(\"\(name.excerpt)\") or app.table, or name one of those that are."
        )
    }
}
