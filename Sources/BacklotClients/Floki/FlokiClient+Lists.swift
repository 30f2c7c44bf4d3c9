internal import BacklotJSON
internal import Floki

extension FlokiClient {
    /// Shows a tab. Its feed is asked for when it never was, or longer ago than its `ttl`.
    ///
    /// - Parameter title: the tab's title, in the language of the app.
    public func show(_ title: String, file: String = #fileID, line: Int = #line) async throws {
        let place = "\(file):\(line)"
        let step = "show(\"\(title)\")"
        guard let object = tabObjects.first(where: { self.title($0) == title }),
            let id = object["unique_id"]?.number?.int64.map({ Int($0) })
        else {
            throw StepFailure(step: step, problem: "no tab \"\(title)\"", screen: drawing, place: place)
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
            try await refresh(step, place)
        }
    }

    /// Remembers what the tab that is shown has.
    func keepTab() {
        if let tab, let first = stack.first { tabs[tab] = first }
    }

    /// Asks for the feed on the screen again, as a person does who taps the curled arrow.
    public func refresh(file: String = #fileID, line: Int = #line) async throws {
        try await refresh("refresh()", "\(file):\(line)")
    }

    func refresh(_ step: String, _ place: String) async throws {
        guard let screen, var list = screen.list else {
            throw StepFailure(step: step, problem: "no feed is on the screen", screen: drawing, place: place)
        }
        do {
            let answer = try await document(address(screen.url, of: list), kind(of: screen), step, place)
            list.refresh(with: answer, merges: configuration.platform == .iOS, now: now)
            replaceList(list, isCached: false)
        } catch let failure as FlokiFailure {
            guard list.fetched != nil else { throw failure }
            replaceList(list, isCached: true)
        }
    }

    /// Asks for older entries, by `o`. Android offers none.
    public func loadOlder(file: String = #fileID, line: Int = #line) async throws {
        let step = "loadOlder()"
        let place = "\(file):\(line)"
        guard let screen, var list = screen.list, hasOlder else {
            throw StepFailure(step: step, problem: "no older entries are offered", screen: drawing, place: place)
        }
        let url = address(screen.url, of: list, older: list.shown.last?.flokiID)
        let answer = try await document(url, kind(of: screen), step, place)
        list.extend(with: answer, now: now)
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
