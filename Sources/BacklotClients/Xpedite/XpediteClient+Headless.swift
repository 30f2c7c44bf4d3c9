package import Backlot

extension XpediteClient: HeadlessClient {
    package static var hasMethods: Bool { true }
    package static var greeting: JSONValue? { ["method": "setConnection"] }

    package static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide { XpediteCrawlGuide(url) }

    package static func call(_ step: ClientStep) -> (text: String, isAsync: Bool) {
        switch step {
        case .launch(nil), .relaunch: ("connect()", true)
        case .tap("row", let number?): ("tapRow(\(number - 1))", true)
        case .tap("more", _?): ("loadMore()", true)
        case .pullToRefresh: ("refresh()", true)
        case .enter, .check, .uncheck, .choose: (step.call, false)
        default: (step.call, true)
        }
    }

    package convenience init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) {
        var configuration = XpediteClientConfiguration()
        configuration.limits = options.limits
        configuration.device["uuid"] = .string(options.device)
        self.init(transport, url, configuration)
    }

    package func perform(_ step: ClientStep) async throws {
        switch step {
        case .launch(nil), .relaunch: try await connect()
        case .tap("row", let number?): try await tapRow(number - 1)
        case .tap("more", _?): try await loadMore()
        case .tap(let text, _): try await tap(text)
        case .enter(let text, let field, _): try enter(text, into: field)
        case .check(let field): try check(field)
        case .uncheck(let field): try uncheck(field)
        case .choose(let option, let field): try choose(option, from: field)
        case .pullToRefresh: try await refresh()
        case .wait(let duration): wait(duration)
        default: throw impossible(step)
        }
    }

    package func forgetSession() { token = nil }
    package var place: String { "/" + (packet["id"]?.string ?? sent.last?["method"]?.string ?? "") }
    package var canRefresh: Bool { components("table").contains { $0["refresh"] != nil } }

    package var shownTexts: [String] {
        let keys = ["text", "title", "placeholder", "label"]
        let texts = (components + formFields).flatMap { object in keys.compactMap { object[$0]?.string } }
        let cells = rows.rows.prefix(100).flatMap { $0.members.compactMap(\.value.string) }
        return [title ?? ""] + texts + cells
    }

    private var formFields: [JSONObject] {
        components("form").flatMap { ($0["components"]?.array ?? []).compactMap(\.object) }
    }

    package func steps() -> [OfferedStep] {
        var steps = links.prefix(500).map { link in
            OfferedStep(.tap(link.text), link.text, paths: (link.packet["method"]?.string).map { ["/\($0)"] } ?? [])
        }
        if components("table").contains(where: { $0["clickRow"] != nil }) {
            steps += rows.rows.indices.prefix(5).map { OfferedStep(.tap("row", number: $0 + 1), "row") }
        }
        if rows.hasMore { steps.append(OfferedStep(.tap("more", number: 1), "more")) }
        return steps
    }

    package var fields: [InputField] {
        (components("textbox") + components("password") + formFields).prefix(100).compactMap { field in
            guard let name = field["name"]?.string else { return nil }
            let kind: InputField.Kind
            switch field["type"]?.string {
            case "textbox", "password", "textview": kind = .text()
            case "checkbox": kind = .box(isOn: value(of: name) == "1")
            case "select", "radio":
                let options = (field["options"]?.object?.members ?? []).compactMap(\.value.string)
                guard !options.isEmpty else { return nil }
                kind = .choice(options)
            default: return nil
            }
            return InputField(name, kind, label: field["title"]?.string ?? "")
        }
    }

    package var isDeadEnd: Bool { token != nil && rc == 0 && steps().isEmpty && fields.isEmpty && !sent.isEmpty }
}

extension XpediteClientError: HeadlessClientError {
    package var rule: String {
        switch self {
        case .serverAway: "no-answer"
        case .noPacket: "no-packet"
        }
    }
}
