internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON

/// A client of Applin that explores.
final class ApplinPlayer: ExploredClient {
    /// How many widgets of a page are looked at.
    private static let mostWidgets = 2000

    private let app: ApplinClient
    private(set) var findings: [Finding] = []
    /// What was found out about the screen since the last step.
    private var knownOffers: [ExploreOffer]?

    init(_ url: HTTPURL, _ transport: any ClientTransport, _ options: ExploreOptions) throws {
        var configuration = ApplinClientConfiguration()
        configuration.failingSeverity = nil
        configuration.limits = options.limits
        configuration.dialect = options.dialect
        app = try ApplinClient(url: "\(url)", transport: transport, configuration: configuration)
    }

    func perform(_ step: ClientStep) async throws {
        defer {
            findings = app.findingsOfStep
            knownOffers = nil
        }
        try await step.perform(on: app)
    }

    func forgetCookies() {
        findings = []
        app.forgetCookies()
    }

    var place: String { app.path }
    var stack: [String] { app.stack }
    var isLoaded: Bool { app.touchable?.bytes.isEmpty == false }
    var cookieCount: Int { app.cookies.count }
    var canRefresh: Bool { app.touchable?.isPullable ?? false }
    var timeToRefresh: Duration? { app.timeToRefresh }

    var shownError: (isOfApp: Bool, text: String)? {
        guard let kind = app.errorKind else { return nil }
        return (kind == .app, app.errorText ?? "")
    }

    var shownTexts: [String] {
        // What the client's own pages say is the client's affair, but for what the backend wanted the user to read.
        if StaticPages.page(app.path) != nil { return app.errorKind == .user ? [app.errorText ?? ""] : [] }
        var texts = [app.title ?? ""] + app.texts.prefix(Self.mostWidgets)
        if let modal = app.modal { texts += [modal.title, modal.message ?? ""] + modal.buttons }
        for widget in widgets where widget.typ == "selector" { texts += widget.columns.joined() }
        return texts.filter { !$0.isEmpty }
    }

    private var widgets: ArraySlice<PageWidget> { (app.touchable?.widgets ?? []).prefix(Self.mostWidgets) }

    // MARK: What can be done

    var offers: [ExploreOffer] {
        if let knownOffers { return knownOffers }
        let offers = currentOffers
        knownOffers = offers
        return offers
    }

    private var currentOffers: [ExploreOffer] {
        if let modal = app.modal {
            return modal.buttons.map { ExploreOffer(step: .tap($0), label: "modal \($0)") }
        }
        if app.asksForPhoto {
            return [
                ExploreOffer(step: .uploadPhoto, label: "uploadPhoto"),
                ExploreOffer(step: .cancelPhoto, label: "cancelPhoto", isRequest: false),
            ]
        }
        guard let page = app.touchable else { return [] }
        let isStatic = StaticPages.page(app.path) != nil
        var offers: [ExploreOffer] = app.offers(upTo: Self.mostWidgets).compactMap { offer in
            if isStatic, case .tap = offer.step { return nil }
            var label = ""
            switch offer.step {
            case .tap(let text, let number): label = "\(text) \(number ?? 1)"
            case .check(let name), .uncheck(let name): label = name
            default: break
            }
            return ExploreOffer(
                step: offer.step,
                label: label,
                paths: offer.actions.flatMap(\.paths),
                isRequest: offer.actions.contains { $0.isRequest }
            )
        }
        if app.canGoBack {
            var actions: [PageAction] = []
            if case .custom(let custom) = page.backButton { actions = custom }
            offers.append(
                ExploreOffer(
                    step: .back,
                    label: "back",
                    paths: actions.flatMap(\.paths),
                    isRequest: actions.contains { $0.isRequest },
                    isBack: true
                )
            )
        }
        return offers
    }

    var fields: [ExploreField] {
        guard app.touchable != nil else { return [] }
        var counts: [String: Int] = [:]
        for widget in widgets where !widget.inputs.isEmpty {
            counts["\(widget.typ) \(widget.label ?? "")", default: 0] += 1
        }
        var fields: [ExploreField] = []
        for widget in widgets {
            for (column, input) in widget.inputs.enumerated() where fields.count < 100 {
                let label = widget.label ?? ""
                let isOnly = counts["\(widget.typ) \(label)"] == 1 && !label.isEmpty && widget.inputs.count == 1
                let kind: ExploreField.Kind
                switch widget.typ {
                case "textfield":
                    kind = .text(
                        allow: widget.string("allow") ?? "all",
                        minimum: widget.object["min_chars"]?.number?.int64.map { Int(clamping: $0) },
                        maximum: widget.object["max_chars"]?.number?.int64.map { Int(clamping: $0) }
                    )
                case "selector":
                    guard widget.columns.indices.contains(column), !widget.columns[column].isEmpty else { continue }
                    kind = .choice(widget.columns[column])
                case "checkbox" where widget.actions.isEmpty: kind = .box(isOn: app.sentValue(of: input).bool ?? false)
                default: continue
                }
                fields.append(
                    ExploreField(
                        variable: input.name,
                        name: isOnly ? label : input.name,
                        label: label,
                        kind: kind,
                        pollDelay: widget.pollDelay.map { .milliseconds(min($0, 60_000)) }
                    )
                )
            }
        }
        return fields
    }

    func text(in field: String) -> (shown: String, sent: String)? {
        guard app.touchable != nil, let shown = app.value(of: field)?.string else { return nil }
        return (shown, app.sentValue(of: field)?.string ?? "")
    }

    func takesInput(_ step: ClientStep) -> Bool {
        if app.modal != nil || app.asksForPhoto { return true }
        switch step {
        case .tap, .back:
            guard let page = app.touchable else { return true }
            if step == .back, case .custom(let actions) = page.backButton { return actions.contains { $0.takesInput } }
            return app.offers(upTo: Self.mostWidgets).first { $0.step == step }?.actions.contains { $0.takesInput }
                ?? false
        default: return false
        }
    }

    var isDeadEnd: Bool {
        if let modal = app.modal { return modal.buttons.isEmpty }
        guard let page = app.touchable, app.path != app.configuration.firstPage, StaticPages.page(app.path) == nil,
            !app.canGoBack, page.pollSeconds == nil
        else { return false }
        return !page.widgets.contains { widget in
            widget.actions.contains { $0.leadsOn } || widget.isValidated || widget.pollDelay != nil
        }
    }
}

extension PageAction {
    /// What the action asks the backend for.
    fileprivate var paths: [String] {
        switch self {
        case .push(let path), .replaceAll(let path), .rpc(let path, _), .choosePhoto(let path, _),
            .takePhoto(let path, _):
            [path]
        default: []
        }
    }

    fileprivate var isRequest: Bool { self == .poll || !paths.isEmpty }

    /// Whether what was typed may be gone after it, as it should be.
    fileprivate var takesInput: Bool {
        switch self {
        case .rpc, .logout, .resetVar, .replaceAll, .choosePhoto, .takePhoto, .modal: true
        default: false
        }
    }

    /// Whether it can lead to something else.
    fileprivate var leadsOn: Bool {
        switch self {
        case .copyToClipboard, .launchURL, .onUserErrorPoll, .poll, .resetVar, .stopActions: false
        default: true
        }
    }
}
