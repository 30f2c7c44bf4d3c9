import Backlot
import BacklotJSON

/// Rules about what apps store for widgets.
enum StorageRules {
    /// Each storage key belongs to one widget: it is a toggle's `key`, or the id of a multiValue.
    @Sendable static func keys(_ document: CheckedView, _ remarks: inout Remarks) {
        var owners: [String: DocumentNode] = [:]
        for node in document.tree.nodes(Toggle.vocabulary, MultiValue.vocabulary) {
            let name = node.kind == Toggle.vocabulary ? "key" : "id"
            guard let key = node.string(name) else { continue }
            guard let owner = owners[key] else {
                owners[key] = node
                continue
            }
            let place = document.tree.path(to: owner, page: document.name).pointer
            remarks.error(
                "shared-storage-key",
                at: node,
                name,
                message: "The \(owner.name) at \(place) stores its value under \(key.quoted) too.",
                fix: "Give this \(node.name) another \(name)."
            )
        }
    }

    /// A value stands for one option: iOS clients compare it with each option's id, and with the last dotted component of it.
    @Sendable static func options(_ document: CheckedView, _ remarks: inout Remarks) {
        for node in document.tree.nodes(MultiValue.vocabulary, MultiValue.environmentVocabulary) {
            var seen: [String: String] = [:]
            for option in document.tree.contents(of: node, under: "values") {
                guard let id = option.string("id") else { continue }
                let component = node.kind == MultiValue.vocabulary ? id.lastDottedComponent : id
                guard let other = seen[component] else {
                    seen[component] = id
                    continue
                }
                remarks.error(
                    "duplicate-option",
                    at: option,
                    "id",
                    message: other == id
                        ? "Another option has the id \(id.quoted) too."
                        : "\(component.quoted) is the last component of \(other.quoted) too, so clients mix the two up.",
                    fix: node.kind == MultiValue.vocabulary
                        ? "Give this option an id whose part after the last dot differs from the others'."
                        : "Give this option another id."
                )
            }
        }
    }
}
