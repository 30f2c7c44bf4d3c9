internal import Backlot
internal import BacklotClients

/// Checks that typed texts survive an error, and are still there when the user comes back. A value without I/O.
struct InputWatch {
    private struct Entry {
        let page: String
        let field: String
        let variable: String
        let text: String
        /// Whether an error was shown since the text was typed.
        var afterError = false
        /// Whether the user left the page since the text was typed.
        var wasLeft = false
    }

    /// The maximum number of stored entries.
    private static let most = 100

    private var entries: [Entry] = []

    /// Takes in a step.
    ///
    /// - Parameters:
    ///   - page: the page of the step.
    ///   - takesInput: whether the typed text may disappear after a successful step.
    /// - Returns: the discovery about a lost text; nil if no text was lost.
    mutating func take(
        _ step: ExploreStep,
        _ client: any HeadlessClient,
        _ seen: [RecordingTransport.Seen],
        from page: String,
        takesInput: Bool
    ) -> Discovery? {
        switch step.step {
        case .forgetCookies:
            // Without its session, the backend can't know the owner of the texts.
            entries = []
            return nil
        case .enter(let text, let field, let variable):
            note(Entry(page: page, field: field, variable: variable, text: text), client)
            return nil
        case .choose(let text, let field):
            note(Entry(page: page, field: field, variable: field, text: text), client)
            return nil
        default: break
        }
        let isError = client.shownError != nil
        if isError {
            for index in entries.indices where entries[index].page == page { entries[index].afterError = true }
            return nil
        }
        let hasSaved = seen.contains {
            $0.request.method != .get && $0.response?.status.kind == .successful && $0.path != page
        }
        if takesInput || hasSaved {
            // The text was saved, sent or discarded, as intended.
            entries = []
            return nil
        }
        return judge(client)
    }

    private mutating func note(_ entry: Entry, _ client: any HeadlessClient) {
        // Other pages may have a field for the same variable.
        entries.removeAll { $0.page == entry.page && $0.field == entry.field || $0.variable == entry.variable }
        // A page that polls may use the text at once.
        guard client.place == entry.page, client.text(in: entry.field)?.sent == entry.text, entries.count < Self.most
        else {
            return
        }
        entries.append(entry)
    }

    private mutating func judge(_ client: any HeadlessClient) -> Discovery? {
        // A modal is in front of the page, or the page couldn't be loaded after a restart.
        guard client.isLoaded else { return nil }
        let place = client.place
        for index in entries.indices where entries[index].page != place { entries[index].wasLeft = true }
        for entry in entries where entry.page == place {
            guard let now = client.text(in: entry.field) else {
                entries.removeAll { $0.page == entry.page && $0.field == entry.field }
                guard entry.afterError else { continue }
                return .lost(entry.field, entry.text, now: nil, place, afterError: true)
            }
            if now.shown != entry.text || now.sent != entry.text {
                entries.removeAll { $0.page == entry.page && $0.field == entry.field }
                let other = now.sent != entry.text ? now.sent : now.shown
                return .lost(entry.field, entry.text, now: other, place, afterError: entry.afterError)
            }
        }
        return nil
    }
}

/// Checks that responses, cookies and the stack don't grow without bounds. A value without I/O.
struct GrowthWatch {
    private struct Run {
        let key: String
        var sizes: [Int]
    }

    /// The number of ever larger responses in a row that makes a finding.
    static let mostGrowths = 4
    static let mostCookiesInRow = 5
    static let mostCookies = 40
    static let mostAlike = 6

    private var runs: [Run] = []
    private var cookies = 0
    private var cookieRun = 0

    /// Restarts the counts after something was saved, since responses may be larger now.
    mutating func restart() { runs = [] }

    mutating func take(
        _ step: ExploreStep,
        _ client: any HeadlessClient,
        _ seen: [RecordingTransport.Seen]
    ) -> [Discovery] {
        var found: [Discovery] = []
        for exchange in seen {
            guard let response = exchange.response, response.status.kind == .successful else { continue }
            if response.body.isEmpty || exchange.request.method == .put {
                // An rpc: the responses after it may differ.
                runs = []
                continue
            }
            if let growth = note(exchange, response.body.count) { found.append(growth) }
        }
        let count = client.cookieCount
        if count > cookies {
            cookieRun += 1
        } else if !seen.isEmpty {
            cookieRun = 0
        }
        cookies = count
        if cookieRun >= Self.mostCookiesInRow || count > Self.mostCookies {
            found.append(.cookies(count, client.place))
        }
        let kinds = client.pageStack.map(ExploreClass.path)
        if let top = kinds.last, kinds.count(where: { $0 == top }) >= Self.mostAlike {
            found.append(.stack(kinds.count { $0 == top }, client.place))
        }
        return found
    }

    private mutating func note(_ exchange: RecordingTransport.Seen, _ size: Int) -> Discovery? {
        let key = "\(exchange.request.method) \(exchange.request.url) \(exchange.request.body.hashValue)"
        guard let index = runs.firstIndex(where: { $0.key == key }) else {
            if runs.count > 50 { runs.removeFirst() }
            runs.append(Run(key: key, sizes: [size]))
            return nil
        }
        if size <= runs[index].sizes.last ?? 0 {
            runs[index].sizes = [size]
            return nil
        }
        runs[index].sizes.append(size)
        let sizes = runs[index].sizes
        guard sizes.count > Self.mostGrowths else { return nil }
        return .growth(exchange.path, from: sizes[0], to: size, times: sizes.count)
    }
}
