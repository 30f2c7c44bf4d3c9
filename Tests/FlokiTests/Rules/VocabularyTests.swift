import Backlot
import Foundation
import Testing

@testable import Floki

/// The vocabulary and what the types write can't drift apart: objects are made from the vocabulary, made again through the
/// DSL, and compared.
@Suite(.timeLimit(.minutes(5))) struct VocabularyTests {
    private static let vocabulary = FlokiVocabulary.all
    private let base = TemplateValues(base: "")

    /// An object with values that aren't the defaults, which go without saying.
    private func example(_ kind: Kind, _ isWanted: (Key) -> Bool) -> JSONObject {
        var object = Self.vocabulary.example(of: kind, as: kind.roles[0], for: .floki, isWanted)
        for key in kind.keys where key.defaultValue != nil && object[key.name] == key.defaultValue {
            switch object[key.name] {
            case .bool(let value): object[key.name] = .bool(!value)
            case .number(let number): object[key.name] = .number(JSONNumber((number.int64 ?? 0) + 1))
            default: Issue.record("no other value for \(key.name)")
            }
        }
        if object["class_type"] != nil {
            object["class_type"] = "Web_view_controller"
            object["data"] = ["main_url": object["url"] ?? "/data"]
        }
        return object
    }

    private func parsed(_ capacity: Int = 512, _ write: (inout JSONWriter) -> Void) throws -> JSONObject {
        let template = JSONTemplate(JSONWriter.document(capacity: capacity, write))
        return try #require(try JSONValue(parsing: template.rendered(for: base)).object)
    }

    @Test func `Every kind that is declared is in the vocabulary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Floki").standardizedFileURL
        var declared: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            declared += text.matches(of: /static let \w+ = Kind\(\s*"([\w ]+)"/).map { String($0.1) }
        }
        // The vocabulary of mock files has more kinds, before all of these.
        #expect(declared.sorted() == AppFileVocabulary.all.kinds.map(\.name).sorted())
        #expect(AppFileVocabulary.all.kinds.suffix(Self.vocabulary.kinds.count) == Self.vocabulary.kinds[...])
    }

    @Test(arguments: [
        NewsViewController.vocabulary, GalleryViewController.vocabulary, WebViewController.vocabulary,
        MovieViewController.vocabulary,
    ])
    func `A view controller writes the keys that it declares, and no others`(kind: Kind) throws {
        for isFull in [true, false] {
            var object = example(kind) { isFull ? $0.isWritten : $0.isNeeded }
            // These are written anyway.
            object["main_url"] = isFull ? object["main_url"] : "/main_url"
            if kind === GalleryViewController.vocabulary {
                object["cell_highlight_color"] = isFull ? [1, 1, 1] : [0, 0, 0]
            }
            if kind === NewsViewController.vocabulary || kind === GalleryViewController.vocabulary {
                object["main_url"] = "/feed/"
            }
            let controller = try #require(Sample.controller(kind.name, SampleValues(object: object)))
            let written = try parsed { writer in
                writer.object { controller.encodeMembers(into: &$0, TextLookup(TextNumbers(["a"]))) }
            }
            #expect(written == ["class_type": .string(kind.name), "data": .object(object)])
        }
    }

    @Test(arguments: [Item.vocabulary, Thumb.vocabulary, Section.vocabulary, Tab.vocabulary, DeviceLists.vocabulary])
    func `An object writes the keys that it declares, and no others`(kind: Kind) throws {
        for isFull in [true, false] {
            let object = example(kind) { isFull ? $0.isWritten : $0.isNeeded }
            let values = SampleValues(object: object)
            let written = try parsed { writer in
                switch kind {
                case Item.vocabulary: Sample.item(values).encode(into: &writer, feed: "feed")
                case Thumb.vocabulary: Sample.thumb(values).encode(into: &writer, feed: "feed")
                case Section.vocabulary: Sample.section(values).encode(into: &writer, text: values.text("name") ?? "")
                case Tab.vocabulary: Sample.tab(values).encode(into: &writer, TextLookup(TextNumbers(["a"])))
                default: writer.object { Sample.devices(values).encode(into: &$0) }
                }
            }
            let expected: JSONObject
            switch kind {
            case DeviceLists.vocabulary: expected = isFull ? ["misc": .object(object)] : [:]
            case Section.vocabulary where !isFull:
                // The name is always written.
                expected = ["id": object["id"] ?? .null, "name": ""]
            default: expected = object
            }
            #expect(written == expected)
        }
    }

    @Test func `The version indicator writes the keys that it declares`() throws {
        let object = example(VersionIndicator.vocabulary) { _ in true }
        let indicator = VersionIndicator(version: 1, url: "http://example.com/a", ttl: 1)
        #expect(try JSONValue(parsing: indicator.bytes) == .object(object))
    }

    @Test func `The app data writes the keys that it declares`() throws {
        let texts = try TextTable([Language(code: "en", texts: ["a": "A"])])
        let tab = Tab(id: 1, title: "a", shortTitle: nil, image: nil, controller: webViewController("/a"))
        let data = AppData(tabs: [tab], texts: texts, devices: DeviceLists(deletingDiskCache: ["simulator"]))
        let document = try #require(try JSONValue(parsing: data.template.rendered(for: base)).object)
        #expect(document.members.map(\.key) == AppData.vocabulary.keys.map(\.name))
        #expect(FlokiRules.findings(in: .object(document), name: "data").isEmpty)
    }

    @Test func `A feed writes the keys that it declares`() throws {
        let texts = try TextTable([Language(code: "en", texts: ["a": "A"])])
        func keys<Entry>(_ feed: Feed<Entry>) throws -> [String] {
            let window = FeedWindow(entries: [Array("{}".utf8)], removed: [1], hasOlder: true)
            let mounted = MountedFeed(feed.sections(section(1, "a")), texts: texts)
            let bytes = FeedDocument.bytes(window, of: mounted, for: base, language: "en")
            return try JSONValue(parsing: bytes).object?.members.map(\.key) ?? []
        }
        #expect(try keys(NewsFeed("a", in: MemoryFeedStore())) == FeedDocument.news.keys.map(\.name))
        #expect(try keys(GalleryFeed("a", in: MemoryFeedStore())) == FeedDocument.gallery.keys.map(\.name))
    }

    @Test(arguments: Self.vocabulary.kinds)
    func `An object that is made from the vocabulary has no findings of its structure`(kind: Kind) {
        let object = example(kind) { _ in true }
        let judge = DocumentInspector<FlokiFacts>(Self.vocabulary, rules: [])
        let findings = judge.findings(in: .object(object), as: kind, name: "doc", for: .floki, facts: FlokiFacts())
        #expect(findings == [])
    }

    @Test(arguments: Self.vocabulary.kinds)
    func `Every kind and key has a meaning, a sentence long`(kind: Kind) {
        for meaning in [kind.meaning] + kind.keys.map(\.meaning) {
            #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase == true, "\(meaning)")
        }
    }

    @Test func `Defaults are those of the reference`() {
        func defaults(_ kind: Kind) -> [String: JSONValue] {
            kind.keys.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
        }
        let news = defaults(NewsViewController.vocabulary)
        #expect(news["row_height"] == 44 && news["padding"] == 3 && news["cache_size"] == 50 && news["ttl"] == 300)
        #expect(news["title_color"] == [0, 0, 255] && news["section_collapsed_back_color"] == [126, 127, 127])
        let gallery = defaults(GalleryViewController.vocabulary)
        #expect(gallery["row_height"] == 79 && gallery["cells_per_row"] == 4 && gallery["stretch_images"] == true)
        // Clients assume blue, and the reference black.
        #expect(gallery["cell_highlight_color"] == nil)
    }
}

/// The values that an object is made with, by the keys of the wire.
private struct SampleValues {
    let object: JSONObject

    func text(_ key: String) -> String? { object[key]?.string }
    func link(_ key: String) -> Link? { text(key).map { Link($0) } }
    func bool(_ key: String) -> Bool? { object[key]?.bool }
    func number(_ key: String) -> Int? { object[key]?.number?.int64.map { Int($0) } }
    func texts(_ key: String) -> [String]? { object[key]?.array?.compactMap(\.string) }
    func numbers(_ key: String) -> [Int] { object[key]?.array?.compactMap { $0.number?.int64.map { Int($0) } } ?? [] }
    func color(_ key: String) -> Color? {
        let parts = numbers(key).map { UInt8($0) }
        return parts.count == 3 ? Color(parts[0], parts[1], parts[2]) : nil
    }
}

private enum Sample {
    static func controller(_ name: String, _ values: SampleValues) -> (any ViewController)? {
        switch name {
        case "News_view_controller": news(values)
        case "Gallery_view_controller": gallery(values)
        case "Web_view_controller":
            webViewController("/main_url").scalesPageToFit(values.bool("scales_page_to_fit") ?? false)
        case "Movie_view_controller": movie(values)
        default: nil
        }
    }

    private static func news(_ values: SampleValues) -> NewsViewController {
        var feed = NewsFeed("feed", in: MemoryFeedStore())
        if let size = values.number("cache_size") { feed = feed.cacheSize(size) }
        var made = newsViewController(feed)
        func set<Value>(_ value: Value?, _ change: (NewsViewController) -> (Value) -> NewsViewController) {
            if let value { made = change(made)(value) }
        }
        set(values.number("row_height")) { $0.rowHeight }
        set(values.number("padding")) { $0.padding }
        set(values.number("image_alignment").map { $0 == 1 }) { $0.imageAtRight }
        let size = values.numbers("image_size")
        if size.count == 2 { made = made.imageSize(size[0], size[1]) }
        set(values.number("title_lines")) { $0.titleLines }
        set(values.number("title_size")) { $0.titleSize }
        set(values.color("title_color")) { $0.titleColor }
        set(values.number("text_size")) { $0.textSize }
        set(values.color("text_color")) { $0.textColor }
        set(values.number("footer_size")) { $0.footerSize }
        set(values.color("footer_color")) { $0.footerColor }
        set(values.number("footer_alignment").flatMap(NewsViewController.FooterAlignment.init)) { $0.footerAlignment }
        set(values.color("back_normal_color")) { $0.backNormalColor }
        set(values.color("back_highlight_color")) { $0.backHighlightColor }
        set(values.number("ttl").map { .seconds($0) }) { $0.ttl }
        set(values.bool("download_if_virgin")) { $0.downloadIfVirgin }
        set(values.bool("allow_manual_reload")) { $0.allowManualReload }
        let png = try? Picture(png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        set(values.text("item_disclosure") == png?.base64 ? png : nil) { $0.itemDisclosure }
        set(values.bool("navigation_changes_section")) { $0.navigationChangesSection }
        set(values.number("section_title_padding")) { $0.sectionTitlePadding }
        set(values.color("section_collapsed_text_color")) { $0.sectionCollapsedTextColor }
        set(values.color("section_expanded_text_color")) { $0.sectionExpandedTextColor }
        set(values.color("section_collapsed_back_color")) { $0.sectionCollapsedBackColor }
        set(values.color("section_expanded_back_color")) { $0.sectionExpandedBackColor }
        if let url = values.text("search_bar") { made = made.searchBar(url) }
        if let url = values.text("more_items_url") { made = made.moreItems(url) }
        if let url = values.text("tags_url") { made = made.tags(values.texts("tags_regex") ?? [], url: url) }
        if let url = values.text("videos_url") { made = made.videos(values.texts("videos_regex") ?? [], url: url) }
        return made
    }

    private static func gallery(_ values: SampleValues) -> GalleryViewController {
        var feed = GalleryFeed("feed", in: MemoryFeedStore())
        if let size = values.number("cache_size") { feed = feed.cacheSize(size) }
        var made = galleryViewController(feed)
        func set<Value>(_ value: Value?, _ change: (GalleryViewController) -> (Value) -> GalleryViewController) {
            if let value { made = change(made)(value) }
        }
        set(values.number("row_height")) { $0.rowHeight }
        set(values.number("cells_per_row")) { $0.cellsPerRow }
        set(values.number("padding")) { $0.padding }
        set(values.color("cell_normal_color")) { $0.cellNormalColor }
        set(values.color("cell_highlight_color")) { $0.cellHighlightColor }
        set(values.number("ttl").map { .seconds($0) }) { $0.ttl }
        set(values.bool("download_if_virgin")) { $0.downloadIfVirgin }
        set(values.bool("allow_manual_reload")) { $0.allowManualReload }
        set(values.bool("stretch_images")) { $0.stretchImages }
        if let url = values.text("more_items_url") { made = made.moreItems(url) }
        if let url = values.text("gallery_url") { made = made.galleries(values.texts("gallery_regex") ?? [], url: url) }
        return made
    }

    private static func movie(_ values: SampleValues) -> MovieViewController {
        var made = movieViewController("/main_url")
        func set<Value>(_ value: Value?, _ change: (MovieViewController) -> (Value) -> MovieViewController) {
            if let value { made = change(made)(value) }
        }
        set(values.link("progressive_file")) { $0.progressiveFile }
        set(values.link("preview_url")) { $0.preview }
        if let width = values.number("preview_width"), let height = values.number("preview_height") {
            made = made.previewSize(width, height)
        }
        set(values.number("padding")) { $0.padding }
        set(values.text("title")) { $0.title }
        set(values.number("title_id").map { _ in TextName("a") }) { $0.titleID }
        set(values.number("title_lines")) { $0.titleLines }
        set(values.number("title_size")) { $0.titleSize }
        set(values.color("title_color")) { $0.titleColor }
        set(values.text("text")) { $0.text }
        set(values.number("text_id").map { _ in TextName("a") }) { $0.textID }
        set(values.number("text_size")) { $0.textSize }
        set(values.color("text_color")) { $0.textColor }
        set(values.color("playback_color")) { $0.playbackColor }
        set(values.color("back_normal_color")) { $0.backNormalColor }
        set(values.bool("autoload")) { $0.autoload }
        return made
    }

    /// The modifiers of all entries.
    private static func traits<Entry: FeedEntry>(_ entry: Entry, _ values: SampleValues) -> Entry {
        var made = entry
        if let id = values.number("sort_id") { made = made.sortID(id) }
        for id in values.numbers("section_ids") { made = made.sections(id) }
        if let seconds = values.number("expiration_date") {
            made = made.expires(at: Date(timeIntervalSince1970: Double(seconds)))
        }
        if let url = values.text("share_url") { made = made.shareURL(url) }
        if let isOnline = values.bool("online") { made = made.online(isOnline) }
        if let url = values.object["data"]?["main_url"]?.string { made = made.opens(webViewController(Link(url))) }
        return made
    }

    static func item(_ values: SampleValues) -> Item {
        var made = Floki.item(values.number("id") ?? 0, values.text("title") ?? "", values.text("body") ?? "")
        if let url = values.link("url") { made = made.url(url) }
        if let image = values.link("image") { made = made.image(image) }
        if let footer = values.text("footer") { made = made.footer(footer) }
        return traits(made, values)
    }

    static func thumb(_ values: SampleValues) -> Thumb {
        var made = Floki.thumb(
            values.number("id") ?? 0,
            url: values.link("url") ?? "",
            image: values.link("image") ?? "",
            width: values.number("width") ?? 0,
            height: values.number("height") ?? 0
        )
        made = made.title(values.text("title") ?? "")
        if let text = values.text("caption_text") { made = made.captionText(text) }
        if let zoom = values.object["max_zoom"]?.number?.double { made = made.maxZoom(zoom) }
        return traits(made, values)
    }

    static func section(_ values: SampleValues) -> Section {
        var made = Floki.section(values.number("id") ?? 0, "a")
        func set<Value>(_ value: Value?, _ change: (Section) -> (Value) -> Section) {
            if let value { made = change(made)(value) }
        }
        set(values.number("sort_id")) { $0.sortID }
        set(values.bool("visible")) { $0.visible }
        set(values.bool("interactive")) { $0.interactive }
        set(values.bool("starts_collapsed")) { $0.startsCollapsed }
        set(values.bool("autocollapse_others")) { $0.autocollapseOthers }
        set(values.bool("show_count")) { $0.showCount }
        set(values.color("collapsed_text_color")) { $0.collapsedTextColor }
        set(values.color("collapsed_back_color")) { $0.collapsedBackColor }
        set(values.color("expanded_text_color")) { $0.expandedTextColor }
        set(values.color("expanded_back_color")) { $0.expandedBackColor }
        return made
    }

    static func tab(_ values: SampleValues) -> Tab {
        Tab(
            id: values.number("unique_id") ?? 0,
            title: "a",
            shortTitle: values.number("short_title").map { _ in TextName("a") },
            image: values.text("tab_image").flatMap { _ in
                try? Picture(png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            },
            controller: webViewController(Link(values.object["data"]?["main_url"]?.string ?? ""))
        )
    }

    static func devices(_ values: SampleValues) -> DeviceLists {
        DeviceLists(
            deletingDiskCache: values.texts("delete_disk_cache") ?? [],
            slashingScaledImages: values.texts("slash_scaled_images") ?? []
        )
    }
}
