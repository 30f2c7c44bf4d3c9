import Backlot

/// Rules about pages as a whole.
enum PageRules {
    /// Pages that clients make themselves, so that requests for them never reach the server.
    static let clientPages: Set<String> = [
        "/applin_app_error", "/applin_page_not_loaded", "/applin_network_error", "/applin_server_error",
        "/applin_state_load_error", "/applin_user_error",
        // An app may be built without these; by default it has them.
        "/error_details", "/server_status", "/support",
    ]

    /// A page's own path begins with a slash: clients add it to the base URL.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol, Pages and URLs.
    @Sendable static func path(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard !page.path.hasPrefix("/"), let node = page.page else { return }
        remarks.error(
            "page-path-without-slash",
            at: node,
            message: "The page's path is \(page.path.quoted), but paths of pages begin with a slash.",
            fix: "Serve it as \("/\(page.path)".quoted)."
        )
    }

    /// Clients make some pages themselves, and never request the app's page at such a path.
    @Sendable static func reservedPath(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard clientPages.contains(page.path), let node = page.page else { return }
        remarks.warning(
            "reserved-page-path",
            at: node,
            message: "Clients show their own page for \(page.path.quoted), and never request this one.",
            fix: "Serve it under another path."
        )
    }

    /// Clients ignore a `poll_seconds` of 0.
    @Sendable static func pollSeconds(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let node = page.page, node.number("poll_seconds") == 0 else { return }
        remarks.warning(
            "poll-seconds-zero",
            at: node,
            "poll_seconds",
            message: "Clients ignore a \"poll_seconds\" of 0, so the page doesn't poll.",
            fix: "Write 1 or more, or remove it."
        )
    }

    /// `stream` turns polling off, but clients don't stream anything.
    @Sendable static func stream(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let node = page.page, node.kind == NavPage.vocabulary, node.bool("stream") == true else { return }
        remarks.warning(
            "stream-true",
            at: node,
            "stream",
            message: "A \"stream\" of true makes clients stop polling, and they stream nothing either.",
            fix: "Remove it, and use \"poll_seconds\"."
        )
    }

    /// Clients read a nav page's `end`, and never show it.
    @Sendable static func end(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let node = page.page, let end = page.tree.contents(of: node, under: "end").first, end.isRead,
            end.kind != Empty.vocabulary
        else { return }
        remarks.warning(
            "end-never-shown",
            at: end,
            message: "Clients never show the \"end\" of a nav_page.",
            fix: "Move it into the page's \"widget\"."
        )
    }

    /// The maximum number of levels of nested widgets. The parsers of phones have little stack: they crash from about 60 nested
    /// tables or 100 nested forms.
    static let deepestNesting = 60

    /// Clients crash on deeply nested pages.
    @Sendable static func nesting(_ page: CheckedPage, _ remarks: inout Remarks) {
        var depths: [Int] = []
        depths.reserveCapacity(page.tree.nodes.count)
        for node in page.tree.nodes {
            let depth = (page.tree.parent(of: node).map { depths[$0.index] } ?? 0) + (node.role == .widget ? 1 : 0)
            depths.append(depth)
            guard depth == deepestNesting + 1, node.role == .widget else { continue }
            remarks.error(
                "deep-nesting",
                at: node,
                message:
                    "More than \(deepestNesting) widgets stand in each other here, and the parsers of phones crash "
                    + "on so deep a page.",
                fix: "Put widgets beside each other instead, or on another page."
            )
            return
        }
    }

    /// A back button is only allowed in a nav page's `start`.
    ///
    /// Source: Applin documentation, Widgets, back_button.
    @Sendable static func backButtons(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(BackButton.vocabulary) {
            guard page.tree.parent(of: node)?.role != .page || node.key != "start" else { continue }
            remarks.error(
                "misplaced-back-button",
                at: node,
                message: "A back_button is only allowed in a nav_page's \"start\".",
                fix: "Move it there, or make it a button."
            )
        }
    }
}

/// Rules about values that stay in variables when their page closes.
enum EntryRules {
    /// A page with empty inputs, and a button that calls an rpc and then pops: when it is opened again, its inputs show the last
    /// entry, since variables outlive their page. Clients before 0.36 have no action against it.
    @Sendable static func leftovers(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard ResetVar.vocabulary.support.covers(page.audience) else { return }
        let inputs = page.tree.nodes(Checkbox.vocabulary, Selector.vocabulary, TextField.vocabulary).filter(\.isRead)
        guard inputs.contains(where: { $0.kind == TextField.vocabulary }), inputs.allSatisfy(\.startsEmpty) else {
            return
        }
        let names = inputs.flatMap { input in
            ["var_name", "var_name1", "var_name2"].compactMap { input.string($0) }
        }
        for button in page.tree.nodes(Button.vocabulary, FormButton.vocabulary) {
            let actions = page.tree.contents(of: button, under: "actions")
            guard let rpc = actions.firstIndex(where: { $0.kind == RPC.vocabulary }),
                actions[rpc...].contains(where: { $0.kind == Pop.vocabulary })
            else { continue }
            let reset = Set(actions.filter { $0.kind == ResetVar.vocabulary }.compactMap { $0.string("var_name") })
            let kept = names.filter { !reset.contains($0) }
            guard let first = kept.first else { continue }
            let action: JSONValue = ["typ": "reset_var", "var_name": .string(first)]
            let keep = kept.count > 1 ? "and \(kept.count - 1) more keep their values" : "keeps its value"
            remarks.warning(
                "entry-is-kept",
                at: button,
                "actions",
                message:
                    "The button calls an rpc and leaves the page, but \(first.quoted) \(keep): somebody who opens the page "
                    + "again sees the last entry.",
                fix:
                    "Add \(action) before the pop, for each variable (in Swift: resetVar(\(first.quoted))), or give the variables "
                    + "other names for each entry."
            )
        }
    }
}

extension DocumentNode {
    /// Whether an input is empty, or off, until somebody touches it.
    fileprivate var startsEmpty: Bool {
        ["initial_string", "initial_string1", "initial_string2"].allSatisfy { (string($0) ?? "").isEmpty }
            && bool("initial_bool") != true
    }
}
