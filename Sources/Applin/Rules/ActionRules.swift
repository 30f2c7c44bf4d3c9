import Backlot

/// Rules about actions and their lists.
enum ActionRules {
    /// Each dialect has one form for actions.
    @Sendable static func forms(_ page: CheckedPage, _ remarks: inout Remarks) {
        let dialect = page.facts.dialect
        for node in page.tree.nodes where node.role == .action {
            if node.isRead {
                guard let kind = node.kind, kind.support.covers(page.audience) else { continue }
                if let text = node.text, checkArgument(of: kind, text, node, &remarks) { continue }
            }
            guard (node.text != nil) != (dialect == .documented) else { continue }
            let (form, wanted) = node.text == nil ? ("an object", "a string") : ("a string", "an object")
            remarks.rejection(
                "action-of-other-dialect",
                at: node,
                message:
                    "The action \(node.name.excerpt) is \(form), but \(page.audience.noun) read \(wanted) here and "
                    + "reject the whole page.",
                fix: "Write \(ActionForm.json(node, in: dialect) ?? "it as \(wanted)")."
            )
        }
    }

    /// Whether a text has too much or too little after the action's name; then it is reported.
    private static func checkArgument(
        of kind: Kind,
        _ text: String,
        _ node: DocumentNode,
        _ remarks: inout Remarks
    ) -> Bool {
        if let key = kind.argument {
            guard node.string(key) ?? "" == "" else { return false }
            remarks.rejection(
                "malformed-action",
                at: node,
                message: "The action \(text.quoted) has no \(key), so clients reject the whole page.",
                fix: "Write it after a colon: \"\(kind.name):…\"."
            )
        } else {
            guard text != kind.name else { return false }
            remarks.rejection(
                "malformed-action",
                at: node,
                message: "The action \(kind.name) takes nothing after its name, so clients reject the whole page for "
                    + "\(text.quoted).",
                fix: "Write \"\(kind.name)\"."
            )
        }
        return true
    }

    /// A modal ends its list of actions; its buttons decide what happens next.
    @Sendable static func afterModals(_ page: CheckedPage, _ remarks: inout Remarks) {
        for modal in page.tree.nodes(Modal.vocabulary) {
            let list = page.list(of: modal)
            guard list.first(where: { $0.kind == Modal.vocabulary })?.index == modal.index,
                let next = list.first(where: { $0.index > modal.index })
            else { continue }
            remarks.warning(
                "actions-after-modal",
                at: next,
                message: "Actions after a modal never run.",
                fix: "Move them into the actions of the modal's buttons, or before the modal."
            )
        }
    }

    /// At most one button of a modal is `Cancel`: clients crash when they show two.
    @Sendable static func cancelButtons(_ page: CheckedPage, _ remarks: inout Remarks) {
        for modal in page.tree.nodes(Modal.vocabulary) {
            for button in page.tree.contents(of: modal).filter({ $0.string("text") == "Cancel" }).dropFirst() {
                remarks.error(
                    "two-cancel-buttons",
                    at: button,
                    "text",
                    message: "A modal with two buttons \"Cancel\" crashes the client.",
                    fix: "Remove this one, or give it another text."
                )
            }
        }
    }

    /// on_user_error_poll takes effect when an rpc of its list fails, so a list without an rpc doesn't need it.
    ///
    /// Source: Applin documentation, Actions, on_user_error_poll.
    @Sendable static func loneErrorPolls(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard page.facts.dialect == .documented else { return }
        for poll in page.tree.nodes(OnUserErrorPoll.vocabulary) {
            let list = page.list(of: poll)
            guard list.first(where: { $0.kind == OnUserErrorPoll.vocabulary })?.index == poll.index,
                !list.contains(where: { $0.kind == RPC.vocabulary })
            else { continue }
            remarks.warning(
                "on-user-error-poll-without-rpc",
                at: poll,
                message: "on_user_error_poll does nothing in a list of actions without an rpc.",
                fix: "Add an rpc to the list, or remove on_user_error_poll."
            )
        }
    }
}

extension CheckedPage {
    /// The list of actions that contains an action.
    fileprivate func list(of action: DocumentNode) -> [DocumentNode] {
        tree.parent(of: action).map { tree.contents(of: $0, under: action.key) } ?? []
    }
}
