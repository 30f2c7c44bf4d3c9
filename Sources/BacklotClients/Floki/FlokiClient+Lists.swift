internal import Backlot
internal import Floki

extension FlokiClient {
    /// Shows a tab. The client requests its feed if it never did, or if the feed is older than its `ttl`.
    ///
    /// - Parameter title: the tab's title, in the language of the app.
    public func show(_ title: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("show(\"\(title)\")", file, line)
        guard let object = tabObjects.first(where: { self.title($0) == title }),
            let id = object["unique_id"]?.number?.int64.map({ Int($0) })
        else {
            throw failure(step, "no tab \"\(title)\"")
        }
        keepTab()
        note = nil
        let data = object["data"]?.object ?? [:]
        var screen = FlokiScreen(
            className: object["class_type"]?.string ?? "",
            url: (data["main_url"]?.string ?? "") + language,
            data: data,
            title: title
        )
        if let kept = tabs[id], kept.url == screen.url { screen = kept }
        let isFirst = seenTabs.insert(id).inserted
        tab = id
        stack = [screen]
        screen.list?.expire(now: now)
        if screen.list == nil {
            try await loadPage()
        } else if screen.isDue(now: now, isFirst: isFirst) {
            try await refresh(step)
        }
    }

    /// Stores the current tab's screen.
    func keepTab() {
        if let tab, let first = stack.first { tabs[tab] = first }
    }

    /// Requests the feed on the screen again, as a tap on the refresh arrow does.
    public func refresh(file: String = #fileID, line: Int = #line) async throws {
        try await refresh(StepCall("refresh()", file, line))
    }

    func refresh(_ step: StepCall) async throws {
        guard let current, var list = current.list else { throw failure(step, "no feed is on the screen") }
        do {
            let response = try await document(mangledOnAndroid(address(current.url, of: list)), kind(of: current), step)
            list.refresh(with: response, merges: configuration.platform == .iOS, now: now)
            replaceList(list, isCached: false)
        } catch let failure as FlokiClientError {
            guard list.fetched != nil else { throw failure }
            replaceList(list, isCached: true)
        }
    }

    /// Requests older entries, with the parameter `o`. Android doesn't offer them.
    public func loadOlder(file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("loadOlder()", file, line)
        guard let current, var list = current.list, hasOlder else {
            throw failure(step, "no older entries are offered")
        }
        let url = address(current.url, of: list, older: list.shown.last?.flokiID)
        let response = try await document(url, kind(of: current), step)
        list.extend(with: response, now: now)
        replaceList(list, isCached: false)
    }

    func kind(of screen: FlokiScreen) -> FlokiRules.Document {
        screen.className.hasPrefix("Gallery_") ? .gallery : .news
    }

    private func replaceList(_ list: FlokiList, isCached: Bool) {
        guard let last = stack.indices.last else { return }
        stack[last].list = list
        stack[last].isCached = isCached
        keepTab()
    }
}

/// Searches, and lists by tag.
extension FlokiClient {
    /// Searches with the search bar of the news on the screen; ``results`` has the entries found.
    public func search(_ words: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("search(\"\(words)\")", file, line)
        guard let url = current?.data["search_bar"]?.string, url.contains("_WORDS_"), url.contains("_PAGE_") else {
            throw failure(step, "the screen has no search bar")
        }
        try await look(url, words, step)
    }

    /// Requests the next page of results. An empty page is the last.
    public func moreResults(file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("moreResults()", file, line)
        guard let query, hasMoreResults else { throw failure(step, "there are no more") }
        try await nextPage(query.url, query.words, query.page + 1, step)
    }

    /// Begins a search or a list by tag.
    func look(_ url: String, _ words: String, _ step: StepCall) async throws {
        results = []
        try await nextPage(url, words, 1, step)
    }

    private func nextPage(_ url: String, _ words: String, _ page: Int, _ step: StepCall) async throws {
        let filled = filled(url, words).replacing("_PAGE_", with: "\(page)")
        let response = try await document(address(filled, of: nil), .news, step)
        let found = FlokiList.entries(of: response)
        results += found
        // iOS sorts results into sections that begin collapsed, and has no cell that loads more.
        hasMoreResults = !found.isEmpty && (configuration.platform == .android || response["sections"] == nil)
        query = (url, words, page)
    }

    /// Fills the language and the words into a URL. Clients encode more characters than forms do.
    func filled(_ url: String, _ words: String) -> String {
        let encoded = FormText.encode(words.split(separator: " ").joined(separator: " ")).replacing("*", with: "%2A")
        return url.replacing("_LNG_", with: language).replacing("_WORDS_", with: encoded)
    }
}
