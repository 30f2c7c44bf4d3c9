package import Backlot
package import Floki

extension FlokiClient {
    /// Starts the app. At the first start and after the `ttl`, the client loads the version indicator; if the version is higher,
    /// it then loads the app data.
    ///
    /// - Throws: ``FlokiClientError`` without app data, new or stored.
    public func launch(file: String = #fileID, line: Int = #line) async throws {
        let step = StepCall("launch()", file, line)
        seenTabs = []
        stack = []
        tab = nil
        guard now >= indicatorEnd || version == 0 else { return }
        do {
            let indicator = try await document("\(url)", .indicator, step)
            let new = indicator["v"]?.number?.int64.map { Int($0) } ?? 0
            if new > version {
                appData = try await document(mangledOnAndroid(indicator["url"]?.string ?? ""), .appData, step)
                version = new
                tabs = tabs.filter { id, _ in tab(id) != nil }
            }
            indicatorEnd = now + (indicator["ttl"]?.number?.int64.map { Int($0) } ?? 0)
        } catch let failure as FlokiClientError {
            guard version > 0 else { throw failure }
        }
    }

    /// The code of the app's current language.
    public var language: String {
        languages.contains(configuration.language) ? configuration.language : languages.first ?? ""
    }

    /// The codes of the app's languages.
    public var languages: [String] {
        (appData["langs"]?.array ?? []).compactMap { $0.object?.members.first?.key }
    }

    /// A text of the app in its language. On iOS, a missing text is taken from the first language.
    public func text(_ number: Int) -> String? {
        func text(_ code: String) -> String? {
            appData["langs"]?.array?.lazy.compactMap { $0[code] }.first?["\(number)"]?.string
        }
        return text(language) ?? (configuration.platform == .iOS ? languages.first.flatMap(text) : nil)
    }

    /// The tabs, from left to right. On Android, tabs of web pages and movies are left out.
    var tabObjects: [JSONObject] {
        let tabs = (appData["tabs"]?.array ?? []).compactMap(\.object)
        guard configuration.platform == .android else { return tabs }
        return tabs.filter { tab in
            let name = tab["class_type"]?.string ?? ""
            return !name.hasPrefix("Web_") && !name.hasPrefix("Movie_")
        }
    }

    /// The tab with this id; nil without one.
    func tab(_ id: Int) -> JSONObject? { tabObjects.first { $0["unique_id"]?.number?.int64 == Int64(id) } }

    /// The titles of the tabs, from left to right.
    public var tabTitles: [String] { tabObjects.map(title) }

    func title(_ tab: JSONObject) -> String {
        tab["long_title"]?.number?.int64.flatMap { text(Int($0)) } ?? ""
    }
}

extension FlokiClient {
    /// Sends a GET request.
    ///
    /// - Throws: ``FlokiClientError`` without a usable response.
    func get(_ url: String) async throws -> ClientResponse {
        sent.append(url)
        let response: ClientResponse
        do throws(ClientError) {
            let request = ClientRequest(.get, try HTTPURL(url))
            response = try await session.send(request, now: Double(now)).response
        } catch {
            throw FlokiClientError.noResponse(url: url, reason: "\(error)")
        }
        guard response.status.kind == .successful else {
            throw FlokiClientError.noResponse(
                url: url,
                reason: "its status is \(response.status.code): \(response.text)"
            )
        }
        return response
    }

    /// Requests a document and inspects it.
    func document(_ url: String, _ kind: FlokiRules.Document, _ step: StepCall) async throws -> JSONObject {
        let response = try await get(url)
        try judge(FlokiInspector(kind: kind, facts: facts).findings(inBody: response.body, path: url, app: nil), step)
        guard let object = (try? JSONValue(parsing: response.body))?.object else {
            throw FlokiClientError.noObject(url: url)
        }
        return object
    }

    private var facts: FlokiFacts { Self.facts(of: appData) }

    /// The facts about the feeds in an app's data.
    package static func facts(of appData: JSONObject) -> FlokiFacts {
        guard let master = appData["langs"]?[0]?.object?.members.first?.value.object else { return FlokiFacts() }
        return FlokiFacts(texts: Set(master.keys.compactMap { Int($0) }).union(ReservedTexts.range))
    }

    /// A URL with the parameters that describe the client's state.
    func address(_ url: String, of list: FlokiList?, older: Int? = nil) -> String {
        let ids = (list?.shown ?? []).compactMap(\.flokiID)
        let values = [
            ("d", configuration.device), ("l", ids.min()), ("h", ids.max()), ("o", older),
        ]
        let pairs = values.compactMap { name, value in value.map { "\(name)=\($0)" } }
        guard !pairs.isEmpty else { return url }
        let separator = url.contains("?") || configuration.omitsQuestionMark ? "&" : "?"
        return url + separator + pairs.joined(separator: "&")
    }
}
