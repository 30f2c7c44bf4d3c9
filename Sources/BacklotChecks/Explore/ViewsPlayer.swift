internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON

/// A client of Dynamic Views that explores: all views of the index.
final class ViewsPlayer: ExploredClient {
    private let app: DynamicViewsClient
    private let index: HTTPURL
    private var session: ClientSession
    private var views: [String] = []
    private(set) var findings: [Finding] = []

    init(_ url: HTTPURL, _ transport: any ClientTransport, _ options: ExploreOptions) {
        var configuration = DynamicViewsClientConfiguration()
        configuration.limits = options.limits
        app = DynamicViewsClient(transport, url, configuration)
        index = url
        session = ClientSession(transport, limits: options.limits)
    }

    func perform(_ step: ClientStep) async throws {
        findings = []
        do {
            switch step {
            case .launch(nil), .relaunch:
                let answer = try await session.send(ClientRequest(.get, index), now: 0).response
                let list = (try? JSONValue(parsing: answer.body))?["views"]?.array ?? []
                views = list.prefix(200).compactMap { $0["name"]?.string ?? $0.string }
                if let first = views.first { try await app.load(first) }
            case .open(let view): try await app.load(view)
            case .tap(let widget, _): try await app.tap(widget)
            case .check(let widget): try await app.toggle(widget, true)
            case .uncheck(let widget): try await app.toggle(widget, false)
            case .choose(let option, let widget): try await app.choose(option, in: widget)
            case .pullToRefresh: try await app.reload()
            case .back: try app.back()
            case .wait: break
            default: throw ImpossibleStep()
            }
        } catch let failure as BackendFailure {
            findings = failure.findings
        } catch let failure as DynamicViewsFailure {
            findings = [ExploredFailure.finding(failure.rule, "\(failure)", place)]
        } catch let failure as ClientFailure {
            findings = [AnswerRule.noAnswer(failure, place)]
        }
    }

    func forgetCookies() {}

    var place: String { "/" + (app.name ?? "") }
    var stack: [String] { app.stack.map { "/\($0)" } }
    var cookieCount: Int { 0 }
    var canRefresh: Bool { app.name != nil }
    var timeToRefresh: Duration? { nil }
    var shownError: (isOfApp: Bool, text: String)? { nil }
    var shownTexts: [String] { app.texts }

    var offers: [ExploreOffer] {
        var offers = views.map { ExploreOffer(step: .open($0), label: "open \($0)", paths: ["/\($0)", "/\($0).json"]) }
        for widget in app.widgets.prefix(500) {
            guard let id = widget["id"]?.string, let type = widget["type"]?.string else { continue }
            switch type {
            case "toggle":
                offers.append(ExploreOffer(step: app.isOn(id) == true ? .uncheck(id) : .check(id), label: id))
            case "multiValue", "snabble.switchEnvironment", "section", "developerMode": break
            case "navigation":
                offers.append(
                    ExploreOffer(
                        step: .tap(id),
                        label: id,
                        paths: (widget["resource"]?.string).map { ["/\($0)"] } ?? []
                    )
                )
            default: offers.append(ExploreOffer(step: .tap(id), label: id))
            }
        }
        if app.stack.count > 1 {
            offers.append(ExploreOffer(step: .back, label: "back", isRequest: false, isBack: true))
        }
        return offers
    }

    var fields: [ExploreField] {
        app.widgets.prefix(500).compactMap { widget in
            guard let id = widget["id"]?.string,
                ["multiValue", "snabble.switchEnvironment"].contains(widget["type"]?.string)
            else {
                return nil
            }
            let options = (widget["items"]?.array ?? widget["values"]?.array ?? []).compactMap { $0["text"]?.string }
            guard !options.isEmpty else { return nil }
            return ExploreField(variable: id, name: id, label: "", kind: .choice(options))
        }
    }

    func text(in field: String) -> (shown: String, sent: String)? { nil }
    func takesInput(_ step: ClientStep) -> Bool { true }
    var isDeadEnd: Bool { false }
}

extension DynamicViewsFailure {
    fileprivate var rule: String {
        switch self {
        case .serverAway: "no-answer"
        case .refused(let status, _): status >= 500 ? "server-error" : "refused"
        case .noDocument: "no-document"
        }
    }
}
