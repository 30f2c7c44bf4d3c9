import Backlot

/// One widget of an unknown type makes clients refuse the whole document.
struct KnownTypes: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for node in document.widgets where node.kind == nil {
            guard let type = node.string("type") else {
                let what = node.value("type") == nil ? "A widget needs a type." : "A type is a string."
                remarks.error("unknown-type", node, "type", what, fix: "Add \"type\", such as \"text\".")
                continue
            }
            let message = "Clients don't know \"\(type.excerpt)\", and refuse the whole document for it."
            remarks.error("unknown-type", node, "type", message, fix: Self.fix(for: type))
        }
    }

    private static func fix(for type: String) -> String {
        if let kind = WidgetKind.formerTypes[type] {
            return "Write \"\(kind.rawValue)\": that is its name today, and 'demo-server views check --fix' writes it."
        }
        let names = WidgetKind.allCases.map(\.rawValue)
        let wanted = nameBytes(type)
        let near = names.map { ($0, EditDistance.between(wanted, nameBytes($0))) }
        if let best = near.min(by: { $0.1 < $1.1 }), best.1 <= 3 { return "Perhaps \"\(best.0)\" is meant." }
        return "Write one of \(names.joined(separator: ", "))."
    }

    /// What follows the prefix, in lower case.
    private static func nameBytes(_ type: String) -> [UInt8] {
        Array(type.lastDottedComponent.lowercased().utf8.prefix(40))
    }
}
