import Backlot
import BacklotJSON

/// What a node is: clients reject a page with one that they don't know.
extension PageTreeWalk {
    mutating func checkKind(of node: PageNode, _ index: Int) {
        guard node.kind != .modalButton, node.schema == nil || node.schema?.dialects.contains(dialect) == false else {
            return
        }
        if node.schema != nil {
            if node.kind == .widget {  // actions have their own check
                report(
                    .error,
                    SchemaRule.widgetOfOtherDialect,
                    at: index,
                    "The widget \(node.typ) is unknown to \(dialect.clients), so they reject the whole page.",
                    fix: "Use another widget, or serve the app in the \(dialect.other.rawValue) dialect."
                )
            }
        } else if node.text == nil, let typ = node.object["typ"], !typ.isNull, typ.string == nil {
            reportWrongType(typ, "\"typ\"", "a string", at: index, "/typ")
        } else if node.text == nil, node.object["typ"]?.string == nil {
            report(
                .error,
                SchemaRule.missingTyp,
                at: index,
                "This \(node.kind.rawValue) has no \"typ\", so clients reject the whole page.",
                fix: "Add \"typ\" with the name of \(node.kind.noun), such as \"\(node.kind.example)\"."
            )
        } else {
            reportUnknownKind(node, index)
        }
    }

    private mutating func reportUnknownKind(_ node: PageNode, _ index: Int) {
        let isAction = node.kind == .action
        let known = (isAction ? Schema.actions : node.kind == .page ? Schema.pages : Schema.widgets)
            .values.filter { $0.dialects.contains(dialect) }.map(\.typ).sorted()
        let fix =
            if !isAction, node.typ == "table" {
                "Write \"grouped_row_table\", with one group."
            } else if let nearest = Suggestion.nearest(to: node.typ, among: known) {
                "Write \"\(nearest)\", if that is what you mean."
            } else {
                "Write one of \(known.joined(separator: ", "))."
            }
        report(
            .error,
            isAction ? SchemaRule.unknownAction : SchemaRule.unknownTyp,
            at: index,
            node.text == nil ? "/typ" : "",
            "There is no \(node.kind.rawValue) \(node.typ.quoted), so clients reject the whole page.",
            fix: fix
        )
    }
}

extension PageNode.Kind {
    /// A name that its `typ` could hold.
    fileprivate var example: String {
        switch self {
        case .page: "nav_page"
        case .widget, .modalButton: "text"
        case .action: "push"
        }
    }
}
