internal import BacklotJSON
internal import Floki

extension FlokiClient {
    /// Starts the app: it looks at the version indicator, unless its `ttl` has not passed, and takes the app data where there
    /// is a higher version.
    ///
    /// - Throws: ``FlokiFailure`` where there is no app data, neither new nor kept.
    public func launch(file: String = #fileID, line: Int = #line) async throws {
        let place = "\(file):\(line)"
        seenTabs = []
        stack = []
        tab = nil
        guard now >= indicatorEnd || version == 0 else { return }
        do {
            let indicator = try await document("\(url)", .indicator, "launch()", place)
            let new = indicator["v"]?.number?.int64.map { Int($0) } ?? 0
            if new > version {
                appData = try await document(indicator["url"]?.string ?? "", .appData, "launch()", place)
                version = new
                tabs = tabs.filter { id, _ in tab(id) != nil }
            }
            indicatorEnd = now + (indicator["ttl"]?.number?.int64.map { Int($0) } ?? 0)
        } catch let failure as FlokiFailure {
            guard version > 0 else { throw failure }
        }
    }

    /// The code of the language that the app is in.
    public var language: String {
        codes.contains(configuration.language) ? configuration.language : codes.first ?? ""
    }

    /// The codes of the app's languages.
    public var codes: [String] {
        (appData["langs"]?.array ?? []).compactMap { $0.object?.members.first?.key }
    }

    /// A text of the app, in its language; on iOS in the first, where that has none.
    public func text(_ number: Int) -> String? {
        func text(_ code: String) -> String? {
            appData["langs"]?.array?.lazy.compactMap { $0[code] }.first?["\(number)"]?.string
        }
        return text(language) ?? (configuration.platform == .iOS ? codes.first.flatMap(text) : nil)
    }

    /// The tabs, from left to right.
    var tabObjects: [JSONObject] { (appData["tabs"]?.array ?? []).compactMap(\.object) }

    /// A tab.
    func tab(_ id: Int) -> JSONObject? { tabObjects.first { $0["unique_id"]?.number?.int64 == Int64(id) } }

    /// The titles of the tabs, from left to right.
    public var tabTitles: [String] { tabObjects.map(title) }

    func title(_ tab: JSONObject) -> String {
        tab["long_title"]?.number?.int64.flatMap { text(Int($0)) } ?? ""
    }
}
