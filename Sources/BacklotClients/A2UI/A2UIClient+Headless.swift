internal import A2UI
internal import Backlot

extension A2UIClient: HeadlessClient {
    package static var hasBaseURL: Bool { true }
    package static var sendsAnyText: Bool { true }

    package static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide { A2UICrawlGuide(url) }

    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) {
        switch step {
        case .relaunch, .pullToRefresh: ("launch()", true)
        case .open(let surface): ("open(\(surface.swiftLiteral))", true)
        case .enter, .check, .uncheck, .choose, .back: (step.call, false)
        default: (step.call, true)
        }
    }

    package convenience init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) {
        var configuration = A2UIClientConfiguration()
        configuration.limits = options.limits
        self.init(transport, url, configuration)
    }

    package func perform(_ step: ClientStep) async throws {
        switch step {
        case .launch(nil), .relaunch, .pullToRefresh: try await launch()
        case .open(let surface): try await open(surface)
        case .tap(let text, let number):
            do {
                try await tap(text, number: number ?? 1)
            } catch A2UIClientError.refused(let status, let text)
                where status < 500 && (status != 404 || text.contains("unknown_surface"))
            {
                // An app may refuse an action, and does so for a client that has lost its session.
            }
        case .enter(let text, let input, _): try enter(text, into: input)
        case .check(let box): try check(box)
        case .uncheck(let box): try uncheck(box)
        case .choose(let option, let input): try choose(option, from: input)
        case .back: try back()
        case .wait: break
        default: throw impossible(step)
        }
    }

    package func forgetSession() { session.cookies = CookieJar() }
    package var cookieCount: Int { session.cookies.cookies.count }
    package var place: String { state.surfaceIDs.last.map { "/surfaces/\($0)" } ?? "/" }
    package var canRefresh: Bool { !state.surfaceIDs.isEmpty }
    package var shownTexts: [String] { texts }

    package func steps() -> [OfferedStep] {
        var counts: [String: Int] = [:]
        var steps: [OfferedStep] = []
        for (text, part, tab) in state.tappables.prefix(500) {
            let name = text.isEmpty ? part.node.componentID : text
            counts[name, default: 0] += 1
            let isDisabled = part.hasAction && state.failures(of: part).contains { $0.severity == "error" }
            guard !isDisabled else { continue }
            let number = counts[name] == 1 ? nil : counts[name]
            let isRequest = tab == nil && part.hasAction
            steps.append(OfferedStep(.tap(name, number: number), name, isRequest: isRequest))
        }
        for address in surfaces {
            let name = address.split(separator: "/").last.map(String.init) ?? address
            steps.append(OfferedStep(.open(name), "open \(name)", paths: ["/surfaces/\(name)"]))
        }
        if state.hasModal { steps.append(OfferedStep(.back, "back", isRequest: false)) }
        return steps
    }

    package var fields: [InputField] {
        state.inputs.prefix(100).map { input in
            let name = input.label
            let kind: InputField.Kind =
                switch input.input {
                case .box: .box(isOn: state.value(of: input) == true)
                case .text, nil: .text()
                default: .choice(input.samples)
                }
            return InputField(input.target("value")?.description ?? name, kind, name: name, label: name)
        }
        .filter { $0.kind != .choice([]) }
    }

    package func text(in field: String) -> (shown: String, sent: String)? {
        value(of: field)?.string.map { ($0, $0) }
    }

    package var isDeadEnd: Bool { !state.surfaceIDs.isEmpty && steps().isEmpty && fields.isEmpty }
}

extension A2UIClientError: HeadlessClientError {
    package var rule: String {
        switch self {
        case .serverAway: "no-answer"
        case .refused(let status, _): status >= 500 ? "server-error" : "refused"
        case .noMessages: "no-messages"
        }
    }
}
