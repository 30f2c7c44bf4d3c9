import Backlot
import BacklotJSON

/// Rules about widgets and the places where they stand.
enum WidgetRules {
    /// The id of a widget is unique among the widgets beside it, so that clients can tell them apart.
    @Sendable static func ids(_ document: CheckedView, _ remarks: inout Remarks) {
        for parent in document.tree.nodes {
            var seen: Set<String> = []
            for node in document.tree.contents(of: parent) where node.role == .widget {
                guard let id = node.string("id") else { continue }
                if id.isEmpty {
                    remarks.warning(
                        "empty-id",
                        at: node,
                        "id",
                        message: "An empty id says nothing in interactions and logs.",
                        fix: "Give the widget a name."
                    )
                }
                guard !seen.insert(id).inserted else { continue }
                remarks.error(
                    "duplicate-id",
                    at: node,
                    "id",
                    message: "Another widget beside this one has the id \(id.quoted) too.",
                    fix: "Give this widget another id."
                )
            }
        }
    }

    /// Sections group the rows of a list.
    @Sendable static func sections(_ document: CheckedView, _ remarks: inout Remarks) {
        let style = document.tree.nodes(Configuration.vocabulary).first?.string("style")
        guard style != Configuration.Style.list.rawValue else { return }
        for node in document.tree.nodes(Section.vocabulary) {
            remarks.warning(
                "section-in-scroll",
                at: node,
                message: "A section groups the rows of a list, but this document's style is scroll.",
                fix: "Set the style to \"list\", or put the section's widgets into the document itself."
            )
        }
    }

    /// iOS clients put no space around widgets that hold others. Android clients need a padding on a section as well.
    @Sendable static func ignoredPaddings(_ document: CheckedView, _ remarks: inout Remarks) {
        guard document.audience.dialect == Dialect.Platform.ios.rawValue else { return }
        for node in document.tree.nodes(Section.vocabulary, DeveloperMode.vocabulary) where node.has("padding") {
            remarks.warning(
                "ignored-padding",
                at: node,
                "padding",
                message: "iOS clients ignore the padding of \(node.noun).",
                fix: "Remove it, or give the widgets inside one."
            )
        }
    }
}
