internal import Backlot
internal import Floki

extension FlokiClient {
    /// Taps an entry on the screen or among the search results, and shows its page, picture or feed. If the client ignores the
    /// tap, ``note`` says so.
    public func open(_ id: Int, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("open(\(id))", file, line)
        guard let entry = (entries + results).first(where: { $0.flokiID == id }) else {
            throw failure(step, "no entry \(id)")
        }
        try await open(entry, step)
    }

    private func open(_ entry: JSONObject, _ step: StepCall) async throws {
        note = nil
        guard let url = entry["url"]?.string else {
            throw failure(step, "a tap does nothing: it has no \"url\"")
        }
        let isList = current?.className.hasPrefix("Gallery_") == true
        let className = entry["class_type"]?.string ?? (isList ? "Photo_view_controller" : "Item_view_controller")
        let nested = className.hasPrefix("News_") || className.hasPrefix("Gallery_")
        if configuration.platform == .android {
            let isMovie = className.hasPrefix("Movie_")
            let isIgnored =
                isMovie ? entry["data"]?["preview_url"]?.string == nil : nested || className.hasPrefix("Web_")
            if isIgnored {
                let what = isMovie ? "a movie without a \"preview_url\"" : "a \(className)"
                note = "Android 1.1 ignores taps on an entry that opens \(what)."
                return
            }
        }
        let absolute = try resolved(url)
        let screen = FlokiScreen(
            className: className,
            url: nested ? absolute + language : absolute,
            data: entry["data"]?.object ?? [:],
            title: entry["title"]?.string ?? ""
        )
        stack.append(screen)
        do {
            switch className {
            case _ where nested: try await refresh(step)
            case "Item_view_controller":
                try await loadPage(key: entry["online"]?.bool == true ? nil : "\(entry.flokiID ?? 0) \(absolute)")
            case "Web_view_controller": try await loadPage()
            default: break
            }
        } catch {
            stack.removeLast()
            throw error
        }
    }

    /// Resolves a URL that may be relative to the feed on the screen, up to the last slash of the feed's URL.
    func resolved(_ url: String) throws -> String {
        if url.contains("://") { return url }
        let base =
            current.map { screen in
                screen.data["main_url"]?.string ?? screen.url
            } ?? "\(self.url)"
        guard let slash = base.lastIndex(of: "/") else { return url }
        return base[...slash] + url
    }

    /// The address of an entry's picture; nil for an entry without one.
    public func picture(of id: Int) throws -> String? {
        try entries.first { $0.flokiID == id }?["image"]?.string.map(resolved)
    }

    /// Loads the web page of the screen.
    ///
    /// - Parameter key: the key under which the page is stored; nil to not store it.
    func loadPage(key: String? = nil) async throws {
        guard let last = stack.indices.last, stack[last].className != "Movie_view_controller" else { return }
        if let key, let kept = keptPages[key] {
            stack[last].page = kept
            return
        }
        let text = try await get(Self.mangled(stack[last].url)).text
        if let key { keptPages[key] = text }
        stack[last].page = text
    }

    /// A URL as clients write it: they encode some characters needlessly, even in the host.
    static func mangled(_ url: String) -> String {
        guard url.atScheme != nil else { return url }
        let end = url.firstIndex(of: "?") ?? url.endIndex
        return String(url[..<end]).replacing("-", with: "%2d").replacing("~", with: "%7e") + url[end...]
    }

    /// The URL of a document as clients write it: unlike Android, iOS only changes the URLs of pages.
    func mangledOnAndroid(_ url: String) -> String {
        configuration.platform == .android ? Self.mangled(url) : url
    }

    /// Goes back to the previous screen.
    public func back(file: String = #fileID, line: Int = #line) throws {
        guard stack.count > 1 else {
            throw failure(StepCall("back()", file, line), "this is the first screen")
        }
        stack.removeLast()
    }

    /// Taps a link on a web page. If a regular expression of a news or gallery tab matches the link, the tab opens the captured
    /// text: a tag's entries become the ``results``, a video is opened, and a gallery is shown. Otherwise the link opens as a web
    /// page. Android always opens it in the system's browser.
    public func follow(_ link: String, file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("follow(\"\(link)\")", file, line)
        let isCaught = configuration.platform == .iOS
        note = isCaught ? nil : "Android 1.1 opens links in the system's browser."
        for tab in tabObjects where isCaught {
            guard let data = tab["data"]?.object else { continue }
            if let (url, words) = Self.capture(link, data, "tags") {
                return try await look(url, words, step)
            }
            if let (url, words) = Self.capture(link, data, "videos") {
                let response = try await document(address(filled(url, words), of: nil), .news, step)
                guard let video = FlokiList.entries(of: response).first else {
                    throw failure(step, "the response has no video")
                }
                return try await open(video, step)
            }
            if let (url, words) = Self.capture(link, data, "gallery") {
                stack.append(
                    FlokiScreen(
                        className: "Gallery_view_controller",
                        url: filled(url, words),
                        data: data,
                        title: title(tab)
                    )
                )
                return try await refresh(step)
            }
        }
        stack.append(FlokiScreen(className: "Web_view_controller", url: link, data: [:], title: ""))
        do {
            try await loadPage()
        } catch {
            stack.removeLast()
            throw error
        }
    }

    /// The text that the first matching regular expression captures from a link, and the URL to use it with.
    private static func capture(_ link: String, _ data: JSONObject, _ name: String) -> (url: String, words: String)? {
        guard let url = data["\(name)_url"]?.string else { return nil }
        for pattern in (data["\(name)_regex"]?.array ?? []).compactMap(\.string) {
            guard let words = try? PCRERegex(pattern).firstGroup(in: link) else { continue }
            return (url, words)
        }
        return nil
    }
}

extension FlokiClient {
    /// The ways to share an entry, by the names on the buttons: copy its address, send it by email, or post it to Twitter or
    /// Facebook. Empty for an entry without `share_url`.
    ///
    /// Source: Floki server protocols, Reserved string ids.
    public func choices(sharing id: Int) -> [String] {
        guard entries.contains(where: { $0.flokiID == id && $0["share_url"]?.string != nil }) else { return [] }
        return [10_002, 10_003, 10_013, 10_014].map { text($0) ?? ReservedTexts.text($0) ?? "" }
    }

    /// The email that shares an entry on the screen, with its body in HTML; nil for an entry without `share_url`.
    ///
    /// Source: Floki server protocols, Email text substitution.
    public func email(sharing id: Int) -> (subject: String, body: String)? {
        guard let entry = entries.first(where: { $0.flokiID == id }), let url = entry["share_url"]?.string else {
            return nil
        }
        let caption = entry["caption_text"]?.string ?? ""
        let numbers: (subject: Int, body: Int)
        if entry["class_type"] == "Movie_view_controller" {
            numbers = (10_011, 10_012)
        } else if current?.className.hasPrefix("Gallery_") == true {
            numbers = (10_006, caption.isEmpty ? 10_008 : 10_009)
        } else {
            numbers = (10_005, 10_007)
        }
        func filled(_ number: Int) -> String {
            (text(number) ?? ReservedTexts.text(number) ?? "")
                .replacing("<TITLE>", with: entry["title"]?.string ?? "")
                .replacing("<URL>", with: url)
                .replacing("<PHOTO_DESC>", with: caption)
        }
        return (filled(numbers.subject), filled(numbers.body))
    }
}
