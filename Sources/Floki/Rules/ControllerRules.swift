import BacklotJSON

/// What the data of a controller must be.
enum ControllerRules {
    private static let size: ClosedRange<Int64> = 1...Int64(Int32.max)

    /// - Parameter texts: the numbers that the master language has; nil where that isn't known.
    static func check(
        _ data: WireScope,
        _ kind: ControllerKind,
        texts: Set<Int>?,
        needsMainURL: Bool,
        _ remarks: inout Remarks
    ) {
        remarks.string(data, "main_url", isRequired: needsMainURL)
        switch kind {
        case .news: checkNews(data, &remarks)
        case .gallery: checkGallery(data, &remarks)
        case .web: remarks.bool(data, "scales_page_to_fit")
        case .movie: checkMovie(data, texts, &remarks)
        case .item, .photo: break
        }
    }

    private static func checkFeed(_ data: WireScope, _ remarks: inout Remarks) {
        remarks.integer(data, "cache_size", size)
        remarks.integer(data, "ttl", size, rule: "ttl-out-of-range")
        remarks.bool(data, "download_if_virgin")
        remarks.bool(data, "allow_manual_reload")
        remarks.string(data, "more_items_url")
    }

    private static func checkNews(_ data: WireScope, _ remarks: inout Remarks) {
        checkFeed(data, &remarks)
        for key in ["row_height", "padding", "title_lines", "title_size", "text_size", "footer_size"] {
            remarks.integer(data, key, size)
        }
        for key in ["image_alignment", "footer_alignment"] {
            remarks.integer(data, key, Int64(Int32.min)...Int64(Int32.max))
        }
        remarks.integer(data, "section_title_padding", 0...319)
        if let sizes = remarks.integers(data, "image_size"), sizes.count != 2 || sizes.contains(where: { $0 < 1 }) {
            remarks.error(
                "out-of-range",
                data,
                "image_size",
                "\"image_size\" is \(data["image_size"]?.description.excerpt ?? "").",
                fix: "Write a width and a height, each 1 or more."
            )
        }
        ColorRules.check(
            data,
            [
                "title_color", "text_color", "footer_color", "back_normal_color", "back_highlight_color",
                "section_collapsed_text_color", "section_expanded_text_color", "section_collapsed_back_color",
                "section_expanded_back_color",
            ],
            &remarks
        )
        if let picture = remarks.string(data, "item_disclosure") {
            PictureRules.check(picture, data, "item_disclosure", &remarks)
        }
        remarks.bool(data, "navigation_changes_section")
        PatternRules.checkURL(data, "search_bar", ["_WORDS_", "_PAGE_"], &remarks)
        PatternRules.check(data, "tags", placeholders: ["_WORDS_", "_PAGE_"], &remarks)
        PatternRules.check(data, "videos", placeholders: ["_WORDS_"], &remarks)
    }

    private static func checkGallery(_ data: WireScope, _ remarks: inout Remarks) {
        checkFeed(data, &remarks)
        remarks.integer(data, "cells_per_row", size)
        let height = remarks.integer(data, "row_height", size)
        let padding = remarks.integer(data, "padding", size, rule: "gallery-padding")
        ColorRules.check(data, ["cell_normal_color", "cell_highlight_color"], &remarks)
        remarks.bool(data, "stretch_images")
        PatternRules.check(data, "gallery", placeholders: ["_WORDS_"], &remarks)
        let (row, space) = (height ?? 79, padding ?? 2)
        guard 2 * space >= row else { return }
        remarks.error(
            "gallery-padding",
            data,
            padding == nil ? "row_height" : "padding",
            "A row of \(row) pixels has no room for pictures with a padding of \(space).",
            fix: "Write a padding below \((row + 1) / 2), or a larger \"row_height\"."
        )
    }

    private static func checkMovie(_ data: WireScope, _ texts: Set<Int>?, _ remarks: inout Remarks) {
        for key in ["progressive_file", "preview_url", "title", "text"] { remarks.string(data, key) }
        remarks.integer(data, "preview_width", 30...450)
        remarks.integer(data, "preview_height", 30...400)
        for key in ["padding", "title_lines", "title_size", "text_size"] { remarks.integer(data, key, size) }
        TextRules.check(data, "title_id", texts, &remarks)
        TextRules.check(data, "text_id", texts, &remarks)
        ColorRules.check(data, ["title_color", "text_color", "playback_color", "back_normal_color"], &remarks)
        remarks.bool(data, "autoload")
    }
}
