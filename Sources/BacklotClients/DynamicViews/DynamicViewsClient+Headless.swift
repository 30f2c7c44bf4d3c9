internal import Backlot

extension DynamicViewsClient: HeadlessClient {
    package static var hasBaseURL: Bool { true }

    package static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide {
        DynamicViewsCrawlGuide(url)
    }

    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) {
        switch step {
        case .open(let view): ("load(\(view.swiftLiteral))", true)
        case .check(let widget): ("toggle(\(widget.swiftLiteral), true)", true)
        case .uncheck(let widget): ("toggle(\(widget.swiftLiteral), false)", true)
        case .pullToRefresh: ("reload()", true)
        case .back: (step.call, false)
        default: (step.call, true)
        }
    }

    package static func hasCall(for step: ClientStep) -> Bool {
        switch step {
        case .launch, .relaunch, .forgetCookies: false
        default: true
        }
    }

    package convenience init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) {
        var configuration = DynamicViewsClientConfiguration()
        configuration.limits = options.limits
        self.init(transport, url, configuration)
    }

    package func perform(_ step: ClientStep) async throws {
        switch step {
        case .launch(nil), .relaunch:
            var request = ClientRequest(.get, url)
            try addDialect(to: &request)
            let response = try await session.send(request, now: 0).response
            let list = (try? JSONValue(parsing: response.body))?["views"]?.array ?? []
            views = list.prefix(200).compactMap { $0["name"]?.string ?? $0.string }
            if let first = views.first { try await load(first) }
        case .open(let view): try await load(view)
        case .tap(let widget, _): try await tap(widget)
        case .check(let widget): try await toggle(widget, true)
        case .uncheck(let widget): try await toggle(widget, false)
        case .choose(let option, let widget): try await choose(option, from: widget)
        case .pullToRefresh: try await reload()
        case .back: try back()
        case .wait: break
        default: throw impossible(step)
        }
    }

    package var place: String { "/" + (name ?? "") }
    package var pageStack: [String] { stack.map { "/\($0)" } }
    package var canRefresh: Bool { name != nil }
    package var shownTexts: [String] { texts }

    package func steps() -> [OfferedStep] {
        var steps = views.map { OfferedStep(.open($0), "open \($0)", paths: ["/\($0)", "/\($0).json"]) }
        for widget in shown.prefix(500) where widget.object["id"]?.string != nil {
            let id = widget.id
            switch widget.type {
            case "toggle": steps.append(OfferedStep(isOn(id) == true ? .uncheck(id) : .check(id), id))
            case "section", "developerMode", "": break
            case let type where Self.choices.contains(type): break
            case "navigation":
                let resource = widget.object["resource"]?.string
                steps.append(OfferedStep(.tap(id), id, paths: resource.map { ["/\($0)"] } ?? []))
            default: steps.append(OfferedStep(.tap(id), id))
            }
        }
        if stack.count > 1 { steps.append(OfferedStep(.back, "back", isRequest: false)) }
        return steps
    }

    package var fields: [InputField] {
        shown.prefix(500).compactMap { widget in
            guard Self.choices.contains(widget.type), let id = widget.object["id"]?.string else { return nil }
            let values = widget.object["items"]?.array ?? widget.object["values"]?.array ?? []
            let options = values.compactMap { $0["text"]?.string }
            return options.isEmpty ? nil : InputField(id, .choice(options))
        }
    }
}

extension DynamicViewsClientError: HeadlessClientError {
    package var rule: String {
        switch self {
        case .serverAway: "no-answer"
        case .refused(let status, _): status >= 500 ? "server-error" : "refused"
        case .noDocument: "no-document"
        }
    }
}
