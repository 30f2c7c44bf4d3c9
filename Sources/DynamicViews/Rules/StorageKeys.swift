import BacklotJSON

/// What an app stores under a key belongs to one widget: a toggle's `key`, or the id of a multiValue.
struct StorageKeys: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        var owners: [String: WireNode] = [:]
        for node in document.widgets {
            let name: String
            switch node.kind {
            case .toggle: name = "key"
            case .multiValue: name = "id"
            default: continue
            }
            guard let key = node.string(name) else { continue }
            guard let owner = owners[key] else {
                owners[key] = node
                continue
            }
            remarks.error(
                "shared-storage-key",
                node,
                name,
                "The \(owner.type) at \(owner.pointer) stores its value under \"\(key.excerpt)\" too.",
                fix: "Give it a key of its own."
            )
        }
    }
}
