import Backlot

/// How an action is written: as a string or as an object, by the dialect.
extension PageTreeWalk {
    mutating func checkForm(of node: PageNode, _ schema: Schema, _ index: Int) {
        guard schema.dialects.contains(dialect) else {
            reportForeign(schema, index)
            return
        }
        if let text = node.text, isMalformed(text, node, schema, index) { return }
        guard (node.text != nil) != (dialect == .documented) else { return }
        let (form, wanted) = node.text == nil ? ("an object", "a string") : ("a string", "an object")
        report(
            .error,
            SchemaRule.actionOfOtherDialect,
            at: index,
            "The action \(schema.typ) is \(form), but \(dialect.clients) read \(wanted) here and reject the whole page.",
            fix: "Write \(ActionForm.json(node, in: dialect) ?? "it as \(wanted)")."
        )
    }

    private mutating func reportForeign(_ schema: Schema, _ index: Int) {
        let fix =
            schema.typ == "on_user_error_poll"
            ? "Remove it, and write \"on_user_error_poll\":true into the rpc of this list."
            : "Leave it out, or serve the app in the \(dialect.other.rawValue) dialect."
        report(
            .error,
            SchemaRule.actionOfOtherDialect,
            at: index,
            "The action \(schema.typ) is unknown to \(dialect.clients), so they reject the whole page.",
            fix: fix
        )
    }

    /// Whether a string has too much or too little after the action's name; then it is reported.
    private mutating func isMalformed(_ text: String, _ node: PageNode, _ schema: Schema, _ index: Int) -> Bool {
        if let key = schema.argument {
            guard node.string(key) ?? "" == "" else { return false }
            report(
                .error,
                SchemaRule.malformedAction,
                at: index,
                "The action \(text.quoted) doesn't say its \(key), so clients reject the whole page.",
                fix: "Write it after a colon: \"\(schema.typ):…\"."
            )
        } else {
            guard text != schema.typ else { return false }
            report(
                .error,
                SchemaRule.malformedAction,
                at: index,
                "The action \(schema.typ) takes nothing after its name, so clients reject the whole page for \(text.quoted).",
                fix: "Write \"\(schema.typ)\"."
            )
        }
        return true
    }
}
