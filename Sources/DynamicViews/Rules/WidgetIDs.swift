import BacklotJSON

/// Every widget has an id, which is a string and unique among those beside it.
struct WidgetIDs: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for parent in document.nodes where parent.part != .option {
            var seen: Set<String> = []
            for node in document.contents(of: parent) where node.part == .widget {
                guard let id = node.string("id") else {
                    report(node, &remarks)
                    continue
                }
                guard !seen.insert(id).inserted else { continue }
                remarks.error(
                    "duplicate-id",
                    node,
                    "id",
                    "Another widget beside it has the id \"\(id.excerpt)\" too.",
                    fix: "Give this one an id of its own."
                )
            }
        }
    }

    private func report(_ node: WireNode, _ remarks: inout Remarks) {
        guard let id = node.value("id") else {
            return remarks.error("missing-key", node, "id", "A widget needs an id.", fix: "Add \"id\", a string.")
        }
        guard id.number != nil else {
            return remarks.error("wrong-type", node, "id", "An id is a string.", fix: "Write a string.")
        }
        remarks.error(
            "numeric-id",
            node,
            "id",
            "An id is a string, and clients refuse the number \(id.summary).",
            fix: "Put it in quotes: \"\(id.summary)\"."
        )
    }
}
