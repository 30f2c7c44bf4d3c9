import Backlot
import BacklotJSON

/// Rules about whole pages, and about what they refer to.
enum PageRules {
    /// Clients keep a page under its id.
    @Sendable static func caching(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard page.root.has("disposition"), !page.root.has("id") else { return }
        remarks.error(
            "disposition-without-id",
            at: page.root,
            "disposition",
            message: "Clients keep a page under its id, but this page has no id.",
            fix: "Give the page an \"id\"."
        )
    }

    /// An id belongs to one component of a page.
    @Sendable static func ids(_ page: CheckedPage, _ remarks: inout Remarks) {
        var seen: Set<String> = []
        for node in page.parts {
            if page.facts.readings.imageIDsMayRepeat, node.kind == Image.vocabulary { continue }
            guard let id = node.string("id"), !id.isEmpty, !seen.insert(id).inserted else { continue }
            remarks.error(
                "duplicate-id",
                at: node,
                "id",
                message: "The id \(id.quoted) already belongs to another component of the page.",
                fix: "Give this component another \"id\"."
            )
        }
    }

    /// An image without a URL shows a picture that this page or an earlier one of the session has preloaded.
    @Sendable static func pictures(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let earlier = page.facts.app.images else { return }
        let known = earlier.union(page.tree.nodes(Preload.vocabulary).compactMap { $0.string("id") })
        for node in page.tree.nodes(Image.vocabulary) where !node.has("url") {
            guard let id = node.string("id"), !id.isEmpty, !known.contains(id) else { continue }
            remarks.error(
                "unknown-image",
                at: node,
                "id",
                message: "No picture \(id.quoted) was preloaded in this session, and the image has no URL.",
                fix: "Add the picture to \"images\", or give the image a \"url\"."
            )
        }
    }

    /// A page calls only methods that the app has registered.
    @Sendable static func methods(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let methods = page.facts.app.methods else { return }
        for node in page.tree.nodes(MethodCall.vocabulary, TableData.vocabulary) {
            let key = node.kind == MethodCall.vocabulary ? "function" : "dynamic"
            guard let name = node.string(key), !name.isEmpty, !methods.contains(name) else { continue }
            let likely = Suggestion.nearest(to: name, among: methods.sorted()).map { "write \($0.quoted)" }
            remarks.error(
                "unregistered-method",
                at: node,
                key,
                message: "The app has no method \(name.quoted).",
                fix: "Register it with app.method(\(name.quoted)) or app.table(\(name.quoted)), or "
                    + "\(likely ?? "name one of the registered methods")."
            )
        }
    }
}

extension CheckedPage {
    /// The components and the fields of forms.
    var parts: [DocumentNode] {
        tree.nodes.filter { $0.isRead && ($0.role == .component || $0.role == .field) }
    }
}

/// Rules about the navigation bar and about panels.
enum NavigationRules {
    /// A navigation that goes out by its id alone must have gone out whole before.
    @Sendable static func kept(_ page: CheckedPage, _ remarks: inout Remarks) {
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
    @Sendable static func shades(_ page: CheckedPage, _ remarks: inout Remarks) {
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
    @Sendable static func entries(_ page: CheckedPage, _ remarks: inout Remarks) {
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
    @Sendable static func titles(_ page: CheckedPage, _ remarks: inout Remarks) {
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

/// Rules about the columns of tables and their headings.
enum TableRules {
    /// Columns fit into their table.
    @Sendable static func widths(_ page: CheckedPage, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) {
            for key in ["cell", "header"] {
                let sum = page.tree.contents(of: table, under: key).reduce(0) { $0 + ($1.number("width%") ?? 0) }
                guard sum > 100 else { continue }
                remarks.warning(
                    "widths-over-100",
                    at: table,
                    key,
                    message: "The widths add up to more than 100 %.",
                    fix: "Make their sum 100 or less; columns without a width share the rest."
                )
            }
        }
    }

    /// Each column has a heading.
    @Sendable static func counts(_ page: CheckedPage, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) where table.has("cell") && table.has("header") {
            let cells = page.tree.contents(of: table, under: "cell").count
            let headings = page.tree.contents(of: table, under: "header").count
            guard cells != headings else { continue }
            remarks.warning(
                "column-counts-differ",
                at: table,
                "header",
                message: "The table has \(cells) columns and \(headings) headings.",
                fix: "Give each column a heading."
            )
        }
    }

    /// "All header entries must agree" about `scroll`.
    @Sendable static func scrolling(_ page: CheckedPage, _ remarks: inout Remarks) {
        for table in page.tree.nodes(Table.vocabulary) {
            let headings = page.tree.contents(of: table, under: "header")
            let given = Set(headings.compactMap { $0.string("scroll") })
            if given.count > 1 {
                remarks.error(
                    "headers-disagree",
                    at: table,
                    "header",
                    message: "Some headings scroll and some don't, but all headings of a table must agree.",
                    fix: "Give all headings the same \"scroll\"."
                )
            } else if given.count == 1, headings.contains(where: { !$0.has("scroll") }) {
                remarks.warning(
                    "scroll-left-out",
                    at: table,
                    "header",
                    message: "Some headings have \"scroll\" and some don't, but all headings of a table must agree.",
                    fix: "Give all headings the same \"scroll\"."
                )
            }
        }
    }
}
