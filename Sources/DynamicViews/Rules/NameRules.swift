import Backlot
import BacklotJSON

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

/// A place in a document where a text or a picture is named.
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
                // A key may be declared several times, each time for other clients.
                guard let kind = kind(of: key), let name = node.string(key.name), seen.insert(key.name).inserted
                else { return nil }
                // Android clients need an image behind the widgets, and take an empty name for none.
                if name.isEmpty, node.kind == Configuration.vocabulary { return nil }
                return NameUse(kind: kind, name: name, node: node, key: key.name)
            }
        }
    }

    /// The vocabulary says which keys name a text or a picture.
    private static func kind(of key: Key) -> Kind? {
        guard case .text(let form) = key.type else { return nil }
        return switch form.noun {
        case TextForm.localisationKey.noun: .text
        case TextForm.pictureName.noun: .image
        default: nil
        }
    }
}
