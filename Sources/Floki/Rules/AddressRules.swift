import Backlot
import BacklotJSON

/// Rules about URLs.
enum AddressRules {
    private static let keys = [
        "url", "image", "share_url", "main_url", "progressive_file", "preview_url", "search_bar", "more_items_url",
        "tags_url", "videos_url", "gallery_url",
    ]

    /// Clients request such characters in Latin-1, or not at all.
    @Sendable static func rawCharacters(_ document: CheckedFloki, _ remarks: inout Remarks) {
        let kinds = [
            VersionIndicator.vocabulary, Item.vocabulary, Thumb.vocabulary, NewsViewController.vocabulary,
            GalleryViewController.vocabulary, WebViewController.vocabulary, MovieViewController.vocabulary,
        ]
        for node in kinds.flatMap({ document.tree.nodes($0) }) {
            for key in keys {
                guard let character = node.string(key)?.unicodeScalars.first(where: { !$0.isASCII }) else { continue }
                let encoded = String(character).utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
                remarks.error(
                    "raw-character-in-url",
                    at: node,
                    key,
                    message: "\"\(key)\" has the character '\(character)', which iOS requests in Latin-1.",
                    fix: "Percent-encode it: \(encoded)."
                )
            }
        }
    }
}
