import BacklotJSON

/// The texts and pictures that a document names are there in the app.
struct ListedNames: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for use in document.uses {
            switch use.kind {
            case .text:
                guard let texts = document.catalogue.texts, !texts.contains(use.name) else { continue }
                remarks.warning(
                    "unlisted-text",
                    use.node,
                    use.key,
                    "The localisation catalogue has no \"\(use.name.excerpt)\", so that users see the key.",
                    fix: "Add it to the catalogue, or name one that is there."
                )
            case .image:
                guard let images = document.catalogue.images, !images.contains(use.name) else { continue }
                remarks.warning(
                    "unlisted-image",
                    use.node,
                    use.key,
                    "The asset manifest has no \"\(use.name.excerpt)\", so that nothing is shown.",
                    fix: "Add it to the manifest, or name one that is there."
                )
            }
        }
    }
}
