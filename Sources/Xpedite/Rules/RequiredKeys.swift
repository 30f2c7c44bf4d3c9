import BacklotJSON

/// What a component needs to be one.
struct RequiredKeys: PageRule {
    private static let components: Set<String> = [
        "label", "image", "button", "textbox", "password", "scrollview", "web", "table", "form", "navigation",
    ]
    private static let fields: Set<String> = [
        "section", "textbox", "password", "textview", "checkbox", "date", "select", "radio",
    ]

    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        let isData = page.page.object["data"] != nil
        require(page.page, "rc", page.page.object["rc"]?.number?.int64 != nil, "a whole number", &remarks)
        if !isData {
            require(page.page, "components", page.page.object["components"]?.array != nil, "an array", &remarks)
        }
        for node in page.nodes {
            switch node.kind {
            case .page: break
            case .component: check(component: node, page, &remarks)
            case .field: check(field: node, &remarks)
            case .entry: break
            case .cell: require(node, "field", node.string("field") != nil, "a string", &remarks)
            case .heading: require(node, "text", node.string("text") != nil, "a string", &remarks)
            case .preload:
                require(node, "id", node.string("id") != nil, "a string", &remarks)
                require(node, "url", node.string("url") != nil, "a string", &remarks)
            }
        }
    }

    private func check(component node: WireNode, _ page: CheckedPage, _ remarks: inout Remarks) {
        switch node.type {
        case "label": require(node, "text", node.string("text") != nil, "a string", &remarks)
        case "image":
            require(node, "url", node.has("url") || node.has("id"), "a URL, or \"id\" of a preloaded picture", &remarks)
        case "button" where page.readings.buttonNeedsTextOrIcon:
            require(node, "text", node.has("text") || node.has("icon"), "a string, or \"icon\"", &remarks)
        case "textbox", "password": require(node, "name", node.string("name") != nil, "a string", &remarks)
        case "scrollview" where page.readings.scrollviewNeedsComponents:
            require(node, "components", node.object["components"]?.array != nil, "an array", &remarks)
        case "table":
            require(node, "data", node.object["data"]?["dynamic"]?.string != nil, "{\"dynamic\":…}", &remarks)
        case "navigation": check(navigation: node, page, &remarks)
        default: reportUnknown(node, Self.components, &remarks)
        }
    }

    private func check(field node: WireNode, _ remarks: inout Remarks) {
        switch node.type {
        case "section": require(node, "title", node.string("title") != nil, "a string", &remarks)
        case "select", "radio":
            require(node, "options", node.object["options"]?.object != nil, "an object of strings", &remarks)
        default: reportUnknown(node, Self.fields, &remarks)
        }
    }

    private func check(navigation node: WireNode, _ page: CheckedPage, _ remarks: inout Remarks) {
        if !node.has("implementation"), let id = node.string("id") {
            guard page.facts.navigations?.contains(id) == false else { return }
            remarks.error(
                "unknown-navigation",
                node,
                "id",
                "The client has not kept a navigation with this id, so nothing is shown.",
                fix: "Send the navigation whole first, with \"implementation\"."
            )
            return
        }
        let implementation = node.object["implementation"]
        let style = implementation?["style"]?.string
        let side = implementation?["position"]?.string
        require(node, "implementation", implementation?.object != nil, "an object", &remarks)
        guard implementation?.object != nil else { return }
        require(
            node,
            "implementation/style",
            style == "button" || style == "slidefrom",
            "button or slidefrom",
            &remarks
        )
        require(node, "implementation/position", side == "left" || side == "right", "left or right", &remarks)
    }

    private func require(_ node: WireNode, _ key: String, _ isThere: Bool, _ what: String, _ remarks: inout Remarks) {
        guard !isThere else { return }
        remarks.error("missing-key", node, key, "\"\(key)\" is required here.", fix: "Add \"\(key)\" with \(what).")
    }

    private func reportUnknown(_ node: WireNode, _ known: Set<String>, _ remarks: inout Remarks) {
        guard !known.contains(node.type) else { return }
        remarks.error(
            "unknown-type",
            node,
            "type",
            "Clients don't know the type \"\(node.type.excerpt)\" here.",
            fix: "Use one of \(known.sorted().joined(separator: ", "))."
        )
    }
}
