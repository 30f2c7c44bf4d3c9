import Backlot

/// Rules about widgets and their places.
enum ViewRules {
    /// The id of a widget is unique among the widgets beside it, so that clients can distinguish them. In a list, Android clients
    /// also show widgets with the same id, and snabble's own documents have some.
    @Sendable static func ids(_ document: CheckedView, _ remarks: inout Remarks) {
        let mayRepeat = document.isForAndroid && document.isList
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
                guard !seen.insert(id).inserted, !mayRepeat else { continue }
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

    /// Clients only know one type for the version. The documentation writes another.
    @Sendable static func versions(_ document: CheckedView, _ remarks: inout Remarks) {
        for node in document.tree.nodes(Version.documentedVocabulary) where node.isRead && !document.isForAndroid {
            remarks.warning(
                "documented-type",
                at: node,
                "type",
                message: "The documentation writes \"version\", but iOS clients know \"snabble.version\" only, and "
                    + "\(DynamicViewsVocabulary.all.refusal).",
                fix: "Write \"snabble.version\"; 'demo-server views check --fix' does so."
            )
        }
    }

    /// Sections group the rows of a list. Android clients show them in a scroll as well.
    @Sendable static func sections(_ document: CheckedView, _ remarks: inout Remarks) {
        if document.isList || document.isForAndroid { return }
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
        if document.isForAndroid { return }
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

/// Rules about the values that apps store for widgets.
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

    /// A value identifies one option: iOS clients compare it with each option's id, and with the id's last dotted component.
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
                        ? "Give this option an id with another part after the last dot."
                        : "Give this option another id."
                )
            }
        }
    }
}

/// Rules about the names of texts and pictures.
enum NameRules {
    /// The app has the texts and pictures that a document names.
    @Sendable static func listed(_ document: CheckedView, _ remarks: inout Remarks) {
        let catalogue = document.facts
        if catalogue == Catalogue() { return }
        for use in NameUse.all(in: document.tree) {
            switch use.kind {
            case .text:
                guard let texts = catalogue.texts, !texts.contains(use.name) else { continue }
                remarks.warning(
                    "unlisted-text",
                    at: use.node,
                    use.key,
                    message: "The localisation catalogue has no \(use.name.quoted), so users see the key.",
                    fix: "Add it to the catalogue, or write a name that is there."
                )
            case .image:
                guard let images = catalogue.images, !images.contains(use.name) else { continue }
                remarks.warning(
                    "unlisted-image",
                    at: use.node,
                    use.key,
                    message: "The asset manifest has no \(use.name.quoted), so nothing is shown.",
                    fix: "Add it to the manifest, or write a name that is there."
                )
            }
        }
    }
}

/// A location in a document that has the name of a text or a picture.
struct NameUse {
    enum Kind {
        case text, image
    }

    let kind: Kind
    let name: String
    let node: DocumentNode
    let key: String

    /// Every such place, for clients of any dialect.
    static func all(in tree: DocumentTree) -> [NameUse] {
        tree.nodes.flatMap { node in
            var seen: Set<String> = []
            return (node.kind?.keys ?? []).compactMap { key -> NameUse? in
                // A key may be declared several times, each time for different clients.
                guard let kind = kind(of: key), let name = node.string(key.name), seen.insert(key.name).inserted
                else { return nil }
                // Android clients need an image behind the widgets; an empty name stands for no image.
                if name.isEmpty, node.kind == Configuration.vocabulary { return nil }
                return NameUse(kind: kind, name: name, node: node, key: key.name)
            }
        }
    }

    /// The kind of a key. The vocabulary declares whether its value is the name of a text or of a picture.
    private static func kind(of key: Key) -> Kind? {
        guard case .text(let form) = key.type else { return nil }
        return switch form.noun {
        case TextForm.localisationKey.noun: .text
        case TextForm.pictureName.noun: .image
        default: nil
        }
    }
}
