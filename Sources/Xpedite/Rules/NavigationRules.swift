import Backlot

/// Rules about the navigation bar and about panels.
enum NavigationRules {
    /// A page may only send the id of a navigation if an earlier one has sent it completely.
    @Sendable static func kept(_ page: CheckedPacket, _ remarks: inout Remarks) {
        guard let kept = page.facts.app.navigations else { return }
        for node in page.tree.nodes(Navigation.vocabulary) where !node.has("implementation") {
            guard let id = node.string("id"), !id.isEmpty, !kept.contains(id) else { continue }
            remarks.error(
                "unknown-navigation",
                at: node,
                "id",
                message: "The client hasn't kept a navigation \(id.quoted), so it shows nothing.",
                fix: "Send the whole navigation first, with \"implementation\"."
            )
        }
    }

    /// The menu of a button has no shade.
    @Sendable static func shades(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Effects.vocabulary) where node.has("shade%") {
            guard page.tree.parent(of: node)?.isBarButton == true else { continue }
            remarks.error(
                "shade-on-button",
                at: node,
                "shade%",
                message: "The menu of a button has no shade.",
                fix: "Remove \"shade%\", or make the navigation a panel with the style \"slidefrom\"."
            )
        }
    }

    /// Panels show an entry's `icon`, and the menus of buttons its `symbol`.
    @Sendable static func entries(_ page: CheckedPacket, _ remarks: inout Remarks) {
        for node in page.tree.nodes(MenuEntry.vocabulary) {
            guard let navigation = page.tree.parent(of: node), navigation.has("implementation") else { continue }
            let (read, unread) = navigation.isBarButton ? ("symbol", "icon") : ("icon", "symbol")
            guard node.has(unread) else { continue }
            let place = navigation.isBarButton ? "the menu of a button" : "a panel"
            remarks.warning(
                "misplaced-\(unread)",
                at: node,
                unread,
                message: "An entry in \(place) has no \(unread.quoted), so clients ignore it.",
                fix: "Write \(read.quoted), or remove \(unread.quoted)."
            )
        }
    }

    /// A button of the navigation bar needs a navigation bar.
    @Sendable static func titles(_ page: CheckedPacket, _ remarks: inout Remarks) {
        guard page.root.kind == Packet.vocabulary, !page.root.has("title") else { return }
        for node in page.tree.nodes(Implementation.vocabulary) where node.string("style") == "button" {
            remarks.warning(
                "button-without-title",
                at: node,
                "style",
                message: "A page without a title has no navigation bar, so that clients don't show the button.",
                fix: "Give the page a \"title\"."
            )
        }
    }
}

extension DocumentNode {
    fileprivate var isBarButton: Bool { value("implementation")?["style"]?.string == "button" }
}
