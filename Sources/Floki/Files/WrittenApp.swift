public import Backlot

extension FileFormat {
    /// Floki apps as files of mocks: `NAME.floki.yaml` or `NAME.floki.json` is the app at the folder's path. Its feeds hold their
    /// entries; each response gets its window from them.
    public static func floki() -> FileFormat {
        .app(
            AppFormat(
                kind: "floki",
                hasTags: false,
                vocabulary: AppFileVocabulary.all,
                root: AppFileVocabulary.root,
                rules: { _, _ in [] },
                newApp: {
                    let memory = WrittenApp.Memory()
                    return { folder, routes in WrittenApp.mount(folder, memory, on: routes) }
                }
            )
        )
    }
}

/// An app that a file describes, while it is being mounted.
struct WrittenApp {
    /// The state that survives a change of the file.
    final class Memory: Sendable {
        let version = ContentVersion()
        /// The entries that each feed has had in each language. Clients drop those that the file no longer has.
        let entries = Locked<[FeedStream: [Int: StoredEntry]]>([:])
    }

    /// The most former entries that are remembered.
    private static let mostFormer = 1_000

    private let file: AppFile
    private let memory: Memory
    private let report: (String, CodeLocation) -> Void

    static func mount(_ folder: AppFolder, _ memory: Memory, on routes: any Routes) {
        let file = folder.files[0]
        if let other = folder.files.dropFirst().first {
            let text = "the folder has an app already, in \(file.path): a folder holds one, so put this into another"
            return routes.report(text, other.source())
        }
        var configuration = FlokiConfiguration()
        configuration.clock = folder.clock
        configuration.version = memory.version.version(of: [file.document])
        configuration.ttl = .seconds(file.document["ttl"]?.int ?? 60)
        let source = file.source()
        routes.floki(folder.path, configuration: configuration, file: source.file, line: source.line) { app in
            WrittenApp(file: file, memory: memory) { routes.report($0, $1) }.add(to: app)
        }
    }

    private func members(_ key: String) -> [JSONObject.Member] { file.document[key]?.object?.members ?? [] }

    private var codes: [String] { members("languages").map(\.key) }

    private func add(to app: FlokiApp) {
        for language in members("languages") {
            let texts = (language.value.object?.members ?? []).map {
                (key: TextName(written: $0.key), value: $0.value.string ?? "")
            }
            app.language(language.key, texts, source("languages", language.key))
        }
        for feed in members("feeds") {
            if feed.value["thumbs"] == nil {
                add(Item.self, feed.key, feed.value, to: app)
            } else {
                add(Thumb.self, feed.key, feed.value, to: app)
            }
        }
        for page in members("pages") { add(page, to: app) }
        for (index, tab) in (file.document["tabs"]?.array ?? []).enumerated() {
            add(tab.object ?? JSONObject(), source("tabs", "\(index)"), to: app)
        }
    }

    private func source(_ steps: String...) -> CodeLocation { file.source(steps.map(JSONPointer.step).joined()) }

    // MARK: Pages and tabs

    private func add(_ page: JSONObject.Member, to app: FlokiApp) {
        let source = source("pages", page.key)
        if let texts = page.value.object {
            for code in codes where texts[code] == nil {
                report("the page '\(page.key)' has no text in '\(code)'; add one", source)
            }
            for member in texts.members where !codes.contains(member.key) {
                report("the app has no language '\(member.key)'; declare it, or remove the page's text", source)
            }
        }
        app.page(page.key, file: source.file, line: source.line) { request in
            (page.value.string ?? page.value[request.language]?.string ?? "")
        }
    }

    private func add(_ tab: JSONObject, _ source: CodeLocation, to app: FlokiApp) {
        guard var controller = controller(tab, source) else {
            let isUnknown = tab["class_type"]?.string == UnwrittenControllers.preferences.name
            let text =
                isUnknown
                ? "no client implements \(UnwrittenControllers.preferences.name): remove the tab"
                : "the tab shows nothing: name its \"feed\" or \"page\", or write \"main_url\" into its \"data\""
            return report(text, source)
        }
        if let feed = tab["feed"]?.string {
            let base = FeedPath.base(feed)
            func set(_ key: String, _ address: String) { controller.data[key] = .string(base + address) }
            if tab["search"] == true { set("search_bar", "/search/_LNG_?q=_WORDS_&page=_PAGE_") }
            if tab["older"] == true { set("more_items_url", "/older/_LNG_") }
            if tab["tags"] == true {
                controller.data["tags_regex"] = [#".*/tags/([^/?#]+)$"#]
                set("tags_url", "/tagged/_LNG_?tag=_WORDS_&page=_PAGE_")
            }
            if tab["videos"] == true {
                controller.data["videos_regex"] = [#".*/videos/([^/?#]+)$"#]
                set("videos_url", "/video/_LNG_?video=_WORDS_")
            }
            if tab["galleries"] == true {
                controller.data["gallery_regex"] = [#".*/galleries/([^/?#]+)$"#]
                set("gallery_url", "/gallery/_LNG_?tag=_WORDS_")
            }
            let size = file.document["feeds"]?[feed]?["cache_size"]
            if controller.data["cache_size"] == nil, let size { controller.data["cache_size"] = size }
        }
        let made = Tab(
            id: tab["unique_id"]?.int ?? 0,
            title: TextName(written: tab["long_title"]?.string ?? ""),
            shortTitle: tab["short_title"]?.string.map { TextName(written: $0) },
            image: tab["tab_image"]?.string.map { Picture(written: $0) },
            controller: controller
        )
        app.add(made, source)
    }

    /// The view of a tab or an entry; nil if the file doesn't name one.
    private func controller(_ object: JSONObject, _ source: CodeLocation) -> WrittenController? {
        let name = object["class_type"]?.string ?? ""
        let data = object["data"]?.object ?? JSONObject()
        // An entry's URL replaces `main_url`.
        var address = (data["main_url"]?.string ?? object["url"]?.string).map { Link($0) }
        if let feed = object["feed"]?.string {
            let key = name == "Gallery_view_controller" ? "thumbs" : name == "News_view_controller" ? "items" : nil
            let found = file.document["feeds"]?[feed]
            if found == nil {
                let names = members("feeds").map(\.key)
                report("there is no feed '\(feed)'\(Suggestion.hint(for: feed, among: names)); declare it", source)
            } else if key.map({ found?[$0] == nil }) ?? true {
                let needed = found?["items"] == nil ? "Gallery_view_controller" : "News_view_controller"
                report("the feed '\(feed)' is shown by a \(needed): write that as \"class_type\"", source)
            }
            address = Link(wire: FeedPath.main(feed))
        } else if let page = object["page"]?.string, name == "Web_view_controller" {
            if file.document["pages"]?[page] == nil { report("there is no page '\(page)'; declare it", source) }
            address = Link("/\(page)/")
        }
        guard let address else { return nil }
        return WrittenController(name, mainURL: address, data: data)
    }

    // MARK: Feeds

    private func add<Entry: WrittenEntry>(_: Entry.Type, _ name: String, _ value: JSONValue, to app: FlokiApp) {
        let key = Entry.key.rawValue
        let place = source("feeds", name)
        let rows = value[key] ?? []
        let languages =
            rows.object?.members.map { ($0.key, $0.value.array ?? []) } ?? [(FeedStream.shared, rows.array ?? [])]
        let sections = (value["sections"]?.array ?? []).compactMap { $0.object.map { Section(written: $0) } }
        func feed(_ store: MemoryFeedStore) -> Feed<Entry> {
            Feed<Entry>(name, in: store, languages: rows.array == nil ? .separate : .shared)
                .cacheSize(value["cache_size"]?.int ?? 50).sections(sections)
        }
        let judging = feed(MemoryFeedStore())
        var changes: [FeedChange] = []
        for (language, entries) in languages {
            if !language.isEmpty, !codes.contains(language) {
                report("the app has no language '\(language)'; declare it", source("feeds", name, key, language))
            }
            var saved: [Int: StoredEntry] = [:]
            for (index, entry) in entries.enumerated() {
                let steps = language.isEmpty ? ["feeds", name, key] : ["feeds", name, key, language]
                func place() -> CodeLocation { file.source((steps + ["\(index)"]).map(JSONPointer.step).joined()) }
                let object = entry.object ?? JSONObject()
                let opened = object["class_type"] == nil ? nil : controller(object, place())
                if opened == nil, let name = object["class_type"]?.string, !UnwrittenControllers.areDefaults(name) {
                    report("\(name.withArticle) needs an address: write \"url\", or the name of a \"feed\"", place())
                }
                do throws(FeedError) {
                    let made = try judging.changes([Entry(written: object, opened)], languages: [language]).0
                    for case .save(let stored, _) in made where saved.updateValue(stored, forKey: stored.id) != nil {
                        report("the id \(stored.id) occurs twice in this feed; give one entry another id", place())
                    }
                    changes += made
                } catch {
                    report("\(error)", place())
                }
            }
            changes = former(FeedStream(feed: name, language: language), saved) + changes
        }
        app.feed(feed(MemoryFeedStore([name: changes])), file: place.file, line: place.line)
    }

    /// The changes that make clients drop the entries that the file no longer has.
    private func former(_ stream: FeedStream, _ present: [Int: StoredEntry]) -> [FeedChange] {
        let gone = memory.entries.withLock { entries in
            let gone = (entries[stream] ?? [:]).filter { present[$0.key] == nil }
                .sorted { $0.key > $1.key }.prefix(Self.mostFormer)
            entries[stream] = present.merging(gone.map { ($0.key, $0.value) }) { present, _ in present }
            return gone.map(\.value)
        }
        return gone.flatMap { entry -> [FeedChange] in
            var entry = entry
            entry.expirationDate = 0
            return [.save(entry, language: stream.language), .remove(id: entry.id, language: stream.language)]
        }
    }
}
