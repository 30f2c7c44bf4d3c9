import Backlot

/// Rules about the data of an app and of view controllers.
enum AppRules {
    /// iPhones have room for five tabs.
    @Sendable static func tabCount(_ document: CheckedFloki, _ remarks: inout Remarks) {
        let count = document.tree.nodes(Tab.vocabulary).count
        guard count > 5 else { return }
        remarks.warning(
            "many-tabs",
            at: document.root,
            "tabs",
            message: "The app has \(count) tabs, but iPhones show 5 at most.",
            fix: "Keep five."
        )
    }

    /// Tabs, entries and sections have different numbers.
    @Sendable static func repeatedNumbers(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for (kinds, key, rule, consequence) in [
            ([Tab.vocabulary], "unique_id", "duplicate-unique-id", "iOS drops all tabs"),
            ([Item.vocabulary, Thumb.vocabulary], "id", "duplicate-id", "clients discard one of them"),
            ([Section.vocabulary], "id", "duplicate-section", "clients discard this one"),
        ] {
            var numbers: Set<Int> = []
            for node in kinds.flatMap({ document.tree.nodes($0) }) {
                guard let number = node.integer(key), !numbers.insert(number).inserted else { continue }
                remarks.error(
                    rule,
                    at: node,
                    key,
                    message: "Another \(node.role.noun) has the \"\(key)\" \(number) too, so \(consequence).",
                    fix: "Give this \(node.role.noun) another \"\(key)\"."
                )
            }
        }
    }

    /// Only an entry's URL can replace `main_url`.
    @Sendable static func tabData(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for tab in document.tree.nodes(Tab.vocabulary) {
            for data in document.tree.contents(of: tab, under: "data") {
                guard data.kind?.key("main_url", for: document.audience) != nil, !data.has("main_url") else { continue }
                remarks.error(
                    "missing-key",
                    at: data,
                    message: "In a tab, \(data.noun) needs \"main_url\"; without it, clients can't use the tab.",
                    fix: "Add \"main_url\" with the address; clients append the code of the language."
                )
            }
        }
    }

    /// A text's number must be in the master language.
    @Sendable static func texts(_ document: CheckedFloki, _ remarks: inout Remarks) {
        guard let texts = LanguageRules.masterTexts(document) ?? document.facts.texts else { return }
        for node in document.tree.nodes(Tab.vocabulary, MovieViewController.vocabulary) {
            for key in ["long_title", "short_title", "title_id", "text_id"] {
                guard node.kind?.key(key, for: document.audience) != nil, let number = node.integer(key), number > 0,
                    !texts.contains(number)
                else { continue }
                remarks.error(
                    "unknown-text",
                    at: node,
                    key,
                    message: "\"\(key)\" is \(number), but the first language has no such text.",
                    fix: "Add it to the first language, or write the number of another text."
                )
            }
        }
    }

    /// The reference describes these, but no client implements them.
    @Sendable static func unimplemented(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for tab in document.tree.nodes(Tab.vocabulary)
        where tab.string("class_type") == UnwrittenControllers.preferences.name {
            remarks.warning(
                "preferences-tab",
                at: tab,
                "class_type",
                message: "No client implements the preferences tab.",
                fix: "Remove the tab."
            )
        }
        for (kind, key) in [(Item.vocabulary, "parent_id"), (Section.vocabulary, "hide_if_empty")] {
            for node in document.tree.nodes(kind) where node.has(key) {
                remarks.warning(
                    "not-implemented",
                    at: node,
                    key,
                    message: "No client implements \"\(key)\".",
                    fix: "Remove it."
                )
            }
        }
    }

    /// The reference's example of a long time is one second more than clients can keep.
    @Sendable static func longestTTL(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for node in document.tree.nodes(VersionIndicator.vocabulary)
        where node.integer("ttl") == VersionIndicator.longestTTL {
            remarks.warning(
                "ttl-overflow",
                at: node,
                "ttl",
                message: "Clients keep whole numbers of 32 bits, so this becomes a time in the past.",
                fix: "Write \(Int32.max)."
            )
        }
    }

    /// Clients drop a gallery that leaves no width or height for its pictures.
    @Sendable static func galleryRooms(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for gallery in document.tree.nodes(GalleryViewController.vocabulary) {
            let padding = gallery.integer("padding") ?? 2
            let height = gallery.integer("row_height") ?? 79
            let count = gallery.integer("cells_per_row") ?? 4
            // Other numbers are out of range already.
            guard [padding, height, count].allSatisfy({ (1...Int(Int32.max)).contains($0) }) else { continue }
            let geometry = GalleryGeometry(rowHeight: height, padding: padding, cellsPerRow: count)
            if geometry.imageHeight <= 0 {
                remarks.error(
                    "gallery-padding",
                    at: gallery,
                    gallery.has("padding") ? "padding" : "row_height",
                    message: "A row of \(height) pixels with a padding of \(padding) has no room for pictures, "
                        + "so clients drop the gallery.",
                    fix: "Write a padding below \((height + 1) / 2), or a larger \"row_height\"."
                )
            } else if geometry.imageWidth <= 1 {
                remarks.error(
                    "gallery-width",
                    at: gallery,
                    gallery.has("cells_per_row") ? "cells_per_row" : "padding",
                    message: "\(GalleryGeometry.rowWidth) pixels have no room for \(count) pictures with a padding of "
                        + "\(padding), so clients drop the gallery.",
                    fix: "Write fewer \"cells_per_row\", or a smaller padding."
                )
            }
        }
    }
}

/// Rules about URLs.
enum AddressRules {
    private static let keys = [
        "url", "image", "share_url", "main_url", "progressive_file", "preview_url", "search_bar", "more_items_url",
        "tags_url", "videos_url", "gallery_url",
    ]

    private static func nodes(_ document: CheckedFloki) -> [DocumentNode] {
        let kinds = [
            VersionIndicator.vocabulary, Item.vocabulary, Thumb.vocabulary, NewsViewController.vocabulary,
            GalleryViewController.vocabulary, WebViewController.vocabulary, MovieViewController.vocabulary,
        ]
        return kinds.flatMap { document.tree.nodes($0) }
    }

    /// Clients write `%2d` for each hyphen of these addresses, in the host as well.
    @Sendable static func hyphens(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for node in nodes(document) {
            for key in ["url", "image", "share_url", "main_url"] {
                guard let (_, rest) = node.string(key)?.atScheme, case let host = rest.prefix(while: { $0 != "/" }),
                    host.contains("-")
                else { continue }
                remarks.warning(
                    "hyphen-in-host",
                    at: node,
                    key,
                    message: "Clients request the host of \"\(key)\" as \(host.replacing("-", with: "%2d")), "
                        + "which doesn't exist.",
                    fix: "Use a host without a hyphen."
                )
            }
        }
    }

    /// Clients request such characters in Latin-1, or not at all.
    @Sendable static func rawCharacters(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for node in nodes(document) {
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
