import BacklotJSON

/// Keys that somebody has written for an effect that they don't have.
struct IgnoredKeys: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for node in document.nodes where node.part == .configuration || node.part == .widget {
            warn(node, "forgroundColor", fix: "Write \"foregroundColor\".", &remarks)
            warn(node, "imageSource", fix: "Write \"image\".", &remarks)
            warn(node, "spacing", fix: "Write \"padding\".", &remarks)
            if node.kind == .button {
                warn(node, "key", fix: "Leave it out: the app knows the button by its id.", &remarks)
            }
        }
    }

    private func warn(_ node: WireNode, _ key: String, fix: String, _ remarks: inout Remarks) {
        guard node.object[key] != nil else { return }
        remarks.warning("ignored-key", node, key, "Clients ignore \"\(key)\" here.", fix: fix)
    }
}
