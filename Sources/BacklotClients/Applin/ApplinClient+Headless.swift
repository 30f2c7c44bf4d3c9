internal import Applin
package import Backlot

extension ApplinClient: HeadlessClient {
    /// The maximum number of widgets of a page to look at.
    private static let mostWidgets = 2000

    package static var hasBaseURL: Bool { true }
    package static var startsAnywhere: Bool { true }
    package static var sendsAnyText: Bool { true }
    package static func hasCall(for step: ClientStep) -> Bool { true }
    package static func isOwnPage(_ place: String) -> Bool { StaticPages.page(place) != nil }

    package static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide {
        ApplinCrawlGuide(url, options)
    }

    package convenience init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) throws {
        var configuration = ApplinClientConfiguration()
        configuration.failingSeverity = .warning
        configuration.limits = options.limits
        configuration.dialect = options.dialect.flatMap(Dialect.init)
        try self.init(transport, url, nil, nil, nil, configuration)
    }

    package func perform(_ step: ClientStep) async throws {
        switch step {
        case .relaunch(let keepsStack): try await relaunch(keepsStack: keepsStack)
        case .uploadPhoto: try await uploadPhoto()
        case .forgetCookies: forgetCookies()
        case .wait(let duration): try await wait(duration)
        default: try await self.step(step, #fileID, #line)
        }
    }

    package func forgetSession() { forgetCookies() }
    package var place: String { path }
    package var pageStack: [String] { stack }
    package var isLoaded: Bool { touchable?.bytes.isEmpty == false }
    package var cookieCount: Int { cookies.count }
    package var canRefresh: Bool { touchable?.isPullable ?? false }
    package var shownError: (isOfApp: Bool, text: String)? { errorKind.map { ($0 == .app, errorText ?? "") } }

    private var widgets: ArraySlice<PageWidget> { (touchable?.widgets ?? []).prefix(Self.mostWidgets) }

    package var shownTexts: [String] {
        // The texts of the client's own pages don't count, except an error text that the backend sent to the user.
        if Self.isOwnPage(path) { return errorKind == .user ? [errorText ?? ""] : [] }
        var shown = [title ?? ""] + texts.prefix(Self.mostWidgets)
        if let modal { shown += [modal.title, modal.message ?? ""] + modal.buttons }
        for widget in widgets where widget.typ == "selector" { shown += widget.columns.joined() }
        return shown.filter { !$0.isEmpty }
    }

    // MARK: Possible steps

    package func steps() -> [OfferedStep] {
        if let offered { return offered }
        let steps = currentSteps
        offered = steps
        return steps
    }

    private var currentSteps: [OfferedStep] {
        if let modal { return modal.buttons.map { OfferedStep(.tap($0), "modal \($0)") } }
        if asksForPhoto {
            return [
                OfferedStep(.uploadPhoto, "uploadPhoto"), OfferedStep(.cancelPhoto, "cancelPhoto", isRequest: false),
            ]
        }
        guard let page = touchable else { return [] }
        func offer(_ step: ClientStep, _ label: String, _ actions: [PageAction]) -> OfferedStep {
            let isRequest = actions.contains { $0.isRequest }
            return OfferedStep(step, label, paths: actions.flatMap(\.paths), isRequest: isRequest)
        }
        let isOwn = Self.isOwnPage(path)
        var steps: [OfferedStep] = taps(upTo: Self.mostWidgets).compactMap { step, actions in
            switch step {
            case .tap(let text, let number): isOwn ? nil : offer(step, "\(text) \(number ?? 1)", actions)
            case .check(let name), .uncheck(let name): offer(step, name, actions)
            default: nil
            }
        }
        if canGoBack {
            var actions: [PageAction] = []
            if case .custom(let custom) = page.backButton { actions = custom }
            steps.append(offer(.back, "back", actions))
        }
        return steps
    }

    /// The steps that a person can do on this screen with one finger, including those on the client's own pages.
    package var choices: [ClientStep] {
        guard touchable != nil else { return steps().map(\.step) }
        return taps().map(\.step) + (canGoBack ? [.back] : [])
    }

    /// The possible taps on the visible page, with their actions, except for its back button.
    ///
    /// - Parameter limit: the maximum number of widgets to look at.
    private func taps(upTo limit: Int = .max) -> [(step: ClientStep, actions: [PageAction])] {
        guard let page = touchable else { return [] }
        let tappable = page.widgets.prefix(limit).filter { ApplinClientState.tappable.contains($0.typ) }
        var counts: [String: Int] = [:]
        for widget in tappable { counts[widget.label ?? "", default: 0] += 1 }
        var numbers: [String: Int] = [:]
        var taps: [(step: ClientStep, actions: [PageAction])] = []
        for widget in tappable {
            guard let label = widget.label else { continue }
            numbers[label, default: 0] += 1
            guard !widget.actions.isEmpty else { continue }
            if widget.typ == "checkbox", let input = widget.inputs.first {
                let name = counts[label] == 1 && !label.isEmpty ? label : input.name
                taps.append((state.value(of: input).bool == true ? .uncheck(name) : .check(name), widget.actions))
            } else if !label.isEmpty {
                taps.append((.tap(label, number: counts[label] == 1 ? nil : numbers[label]), widget.actions))
            }
        }
        return taps
    }

    package var fields: [InputField] {
        var fields: [InputField] = []
        forEachInput(upTo: Self.mostWidgets) { widget, column, input, name in
            let kind: InputField.Kind
            switch widget.typ {
            case "textfield":
                func count(_ key: String) -> Int? { widget.object[key]?.number?.int64.map { Int(clamping: $0) } }
                let allow = widget.string("allow") ?? "all"
                kind = .text(allow: allow, minimum: count("min_chars"), maximum: count("max_chars"))
            case "selector":
                guard widget.columns.indices.contains(column), !widget.columns[column].isEmpty else { return }
                kind = .choice(widget.columns[column])
            case "checkbox" where widget.actions.isEmpty:
                kind = .box(isOn: state.value(of: input).bool ?? false)
            default: return
            }
            let delay = widget.pollDelay.map { Duration.milliseconds(min($0, 60_000)) }
            guard fields.count < 100 else { return }
            fields.append(InputField(input.name, kind, name: name, label: widget.label ?? "", pollDelay: delay))
        }
        return fields
    }

    /// The form entries that make the visible page send these variables.
    package func entries(for variables: JSONObject) -> [ClientStep] {
        var entries: [ClientStep] = []
        forEachInput { widget, column, input, name in
            // A tap on such a checkbox is a separate step.
            if widget.typ == "checkbox", !widget.actions.isEmpty { return }
            guard let wanted = variables.value(ofVariable: input.name), wanted != state.value(of: input) else { return }
            switch (widget.typ, wanted) {
            case ("textfield", .string(let text)): entries.append(.enter(text, into: name, variable: input.name))
            case ("checkbox", .bool(let isOn)): entries.append(isOn ? .check(name) : .uncheck(name))
            case ("selector", .string(let option)):
                guard widget.columns.indices.contains(column), widget.columns[column].contains(option) else { return }
                entries.append(.choose(option, from: name))
            default: return
            }
        }
        return entries
    }

    /// Calls `body` with each input of the visible page and its name in steps: its label if that is unique, otherwise its
    /// variable.
    private func forEachInput(
        upTo limit: Int = .max,
        _ body: (_ widget: PageWidget, _ column: Int, _ input: PageInput, _ name: String) -> Void
    ) {
        let widgets = (touchable?.widgets ?? []).prefix(limit).filter { !$0.inputs.isEmpty }
        var counts: [String: Int] = [:]
        for widget in widgets { counts["\(widget.typ) \(widget.label ?? "")", default: 0] += 1 }
        for widget in widgets {
            let label = widget.label ?? ""
            let isOnly = counts["\(widget.typ) \(label)"] == 1 && !label.isEmpty && widget.inputs.count == 1
            for (column, input) in widget.inputs.enumerated() {
                body(widget, column, input, isOnly ? label : input.name)
            }
        }
    }

    package func text(in field: String) -> (shown: String, sent: String)? {
        guard touchable != nil, let shown = value(of: field)?.string else { return nil }
        return (shown, sentValue(of: field)?.string ?? "")
    }

    package func takesInput(_ step: ClientStep) -> Bool {
        guard let page = touchable else { return true }
        switch step {
        case .back:
            guard case .custom(let actions) = page.backButton else { return false }
            return actions.contains { $0.takesInput }
        case .tap:
            return taps(upTo: Self.mostWidgets).first { $0.step == step }?.actions.contains { $0.takesInput } ?? false
        default: return false
        }
    }

    package var isDeadEnd: Bool {
        if let modal { return modal.buttons.isEmpty }
        guard let page = touchable, path != configuration.firstPage, !Self.isOwnPage(path), !canGoBack,
            page.pollSeconds == nil
        else { return false }
        return !page.widgets.contains { widget in
            widget.actions.contains { $0.leadsOn } || widget.isValidated || widget.pollDelay != nil
        }
    }
}

extension PageAction {
    /// The paths that the action requests from the backend.
    fileprivate var paths: [String] {
        switch self {
        case .push(let path), .replaceAll(let path), .rpc(let path, _), .choosePhoto(let path, _),
            .takePhoto(let path, _):
            [path]
        default: []
        }
    }

    fileprivate var isRequest: Bool { self == .poll || !paths.isEmpty }

    /// Whether typed text may rightly disappear after the action.
    fileprivate var takesInput: Bool {
        switch self {
        case .rpc, .logout, .resetVar, .replaceAll, .choosePhoto, .takePhoto, .modal: true
        default: false
        }
    }

    /// Whether the action can lead to another screen.
    fileprivate var leadsOn: Bool {
        switch self {
        case .copyToClipboard, .launchURL, .onUserErrorPoll, .poll, .resetVar, .stopActions: false
        default: true
        }
    }
}

extension JSONObject {
    /// The value that was sent for a variable: newer clients send `name#key` as an entry of an object.
    fileprivate func value(ofVariable name: String) -> JSONValue? {
        if let value = self[name] { return value }
        guard case .entry(let key, let entry) = VariableName(name) else { return nil }
        return self[key]?[entry]
    }
}
