internal import Backlot

extension FlokiClient: HeadlessClient {

    package static var hasClock: Bool { true }

    package static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide { FlokiCrawlGuide(url) }

    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) {
        switch step {
        case .relaunch: ("launch()", true)
        case .pullToRefresh: ("refresh()", true)
        case .tap(let tab, nil): ("show(\(tab.swiftLiteral))", true)
        case .tap("older", _?): ("loadOlder()", true)
        case .open(let id): ("open(\(id))", true)
        case .enter(let words, _, _): ("search(\(words.shortLiteral))", true)
        case .back: (step.call, false)
        default: (step.call, true)
        }
    }

    package convenience init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) {
        var configuration = FlokiClientConfiguration()
        configuration.limits = options.limits
        self.init(transport, url, configuration, now: options.now)
    }

    package func perform(_ step: ClientStep) async throws {
        switch step {
        case .launch(nil), .relaunch: try await launch()
        case .tap("older", _?): try await loadOlder()
        case .tap(let tab, nil): try await show(tab)
        case .open(let id):
            guard let number = Int(id) else { throw impossible(step) }
            try await open(number)
        case .enter(let words, _, _): try await search(words)
        case .pullToRefresh: try await refresh()
        case .back: try back()
        case .wait(let duration): wait(duration)
        default: throw impossible(step)
        }
    }

    package var place: String { "/" + (current?.title ?? "") }
    package var pageStack: [String] { stack.map { "/\($0.title)" } }
    package var canRefresh: Bool { current?.list != nil }
    package var shownTexts: [String] { tabTitles + titles.prefix(200) }

    package func steps() -> [OfferedStep] {
        var steps = tabTitles.prefix(50).map { OfferedStep(.tap($0), "tab \($0)") }
        steps += ids.prefix(20).map { OfferedStep(.open("\($0)"), "open \(place) \($0)") }
        if hasOlder { steps.append(OfferedStep(.tap("older", number: 1), "older")) }
        if stack.count > 1 { steps.append(OfferedStep(.back, "back", isRequest: false)) }
        return steps
    }

    package var fields: [InputField] { current == nil ? [] : [InputField("search", .text(), label: "Search")] }
}

extension FlokiClientError: HeadlessClientError {
    package var rule: String { "no-answer" }
}
