internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON

/// A client of Floki that explores: tabs, entries, older entries and searches.
final class FlokiPlayer: ExploredClient {
    private let app: FlokiClient
    private(set) var findings: [Finding] = []

    init(_ url: HTTPURL, _ transport: any ClientTransport, _ options: ExploreOptions) {
        var configuration = FlokiClientConfiguration()
        configuration.limits = options.limits
        app = FlokiClient(transport, url, configuration, now: 1_800_000_000)
    }

    func perform(_ step: ClientStep) async throws {
        findings = []
        do {
            switch step {
            case .launch(nil), .relaunch: try await app.launch()
            case .tap("older", _?): try await app.loadOlder()
            case .tap(let tab, nil): try await app.show(tab)
            case .open(let id):
                guard let number = Int(id) else { throw ImpossibleStep() }
                try await app.open(number)
            case .enter(let words, _, _): try await app.search(words)
            case .pullToRefresh: try await app.refresh()
            case .back: try app.back()
            case .wait(let duration): app.wait(duration)
            default: throw ImpossibleStep()
            }
        } catch let failure as BackendFailure {
            findings = failure.findings
        } catch let failure as FlokiFailure {
            findings = [ExploredFailure.finding("no-answer", "\(failure)", place)]
        }
    }

    func forgetCookies() {}

    var place: String { "/" + (app.screen?.title ?? "") }
    var stack: [String] { app.stack.map { "/\($0.title)" } }
    var cookieCount: Int { 0 }
    var canRefresh: Bool { app.screen?.list != nil }
    var timeToRefresh: Duration? { nil }
    var shownError: (isOfApp: Bool, text: String)? { nil }
    var shownTexts: [String] { app.tabTitles + app.titles.prefix(200) }

    var offers: [ExploreOffer] {
        var offers = app.tabTitles.prefix(50).map { ExploreOffer(step: .tap($0), label: "tab \($0)") }
        for id in app.ids.prefix(20) { offers.append(ExploreOffer(step: .open("\(id)"), label: "open \(place) \(id)")) }
        if app.hasOlder { offers.append(ExploreOffer(step: .tap("older", number: 1), label: "older")) }
        if app.stack.count > 1 {
            offers.append(ExploreOffer(step: .back, label: "back", isRequest: false, isBack: true))
        }
        return offers
    }

    var fields: [ExploreField] {
        guard app.screen != nil else { return [] }
        return [
            ExploreField(
                variable: "search",
                name: "search",
                label: "Search",
                kind: .text(allow: "all", minimum: nil, maximum: nil)
            )
        ]
    }

    func text(in field: String) -> (shown: String, sent: String)? { nil }
    func takesInput(_ step: ClientStep) -> Bool { true }
    var isDeadEnd: Bool { false }
}
