internal import Backlot
internal import BacklotJSON

/// Tapping what can be tapped.
extension ApplinClient {
    package static let tappable: Set<String> = ["button", "form_button", "nav_button", "checkbox", "checkbox_button"]

    /// Taps a button, by the text on it: of the modal where one is shown, else of the page. Also a checkbox, and `Back`.
    ///
    /// - Parameters:
    ///   - label: the text, all of it. Of a modal's button that is marked as destructive, what follows the `!`.
    ///   - number: which one, from 1, where several have that text.
    ///   - section: the title of the form section that it stands in, where several have that text.
    /// - Throws: `StepFailure` when it is missing or disabled; `BackendFailure`.
    public func tap(
        _ label: String,
        number: Int? = nil,
        in section: String? = nil,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        let name =
            "tap(\(label.inQuotes)\(number.map { ", number: \($0)" } ?? "")\(section.map { ", in: \($0.inQuotes)" } ?? ""))"
        try await step(name, file, line) { app throws(StepProblem) in
            if case .modal(let modal) = app.state.layer { return try await app.tap(label, on: modal) }
            let page = try app.touchablePage()
            let named = page.widgets.filter { Self.tappable.contains($0.typ) && $0.label == label }
            if named.isEmpty, label == "Back", page.backButton != .none { return try await app.goBack() }
            let found = named.filter { section == nil || $0.section == section }
            try await app.tap(app.theOne(of: found, label, number, section, page))
        }
    }

    /// Taps the button at the start of the title bar: the client's own, which pops the page, or the page's.
    ///
    /// - Throws: `StepFailure` when it is missing or disabled; `BackendFailure`.
    public func back(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("back()", file, line) { app throws(StepProblem) in try await app.goBack() }
    }

    /// Pulls the page down to refresh it.
    ///
    /// - Throws: `StepFailure` where the page doesn't scroll, or doesn't want it; `BackendFailure`.
    public func pullToRefresh(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("pullToRefresh()", file, line) { app throws(StepProblem) in
            guard try app.touchablePage().isPullable else {
                throw StepProblem("the page has no scroll that can be pulled down")
            }
            await app.run(ActionList([.poll]))
        }
    }

    /// Makes a checkbox checked; does nothing where it is.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepFailure` when it is missing; `BackendFailure`.
    public func check(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("check(\(label.inQuotes))", file, line) { app throws(StepProblem) in
            try await app.set(label, isOn: true)
        }
    }

    /// Makes a checkbox unchecked; does nothing where it is.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepFailure` when it is missing; `BackendFailure`.
    public func uncheck(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("uncheck(\(label.inQuotes))", file, line) { app throws(StepProblem) in
            try await app.set(label, isOn: false)
        }
    }

    // MARK: Steps of the steps

    private func tap(_ label: String, on modal: PageAction.Modal) async throws(StepProblem) {
        guard let button = modal.buttons.first(where: { $0.text == label }) else {
            throw missing("button of the modal", label, among: modal.buttons.map(\.text))
        }
        state.layer = .none
        await run(ActionList(button.actions))
    }

    private func theOne(
        of found: [PageWidget],
        _ label: String,
        _ number: Int?,
        _ section: String?,
        _ page: PageContents
    ) throws(StepProblem) -> PageWidget {
        let place = section.map { " in the section \($0.inQuotes)" } ?? ""
        guard !found.isEmpty else { throw nothingToTap(label, section, page) }
        if let number {
            guard found.indices.contains(number - 1) else {
                throw StepProblem(
                    "no button \(label.inQuotes) of that number\(place): they count from 1 to \(found.count)"
                )
            }
            return found[number - 1]
        }
        guard found.count == 1 else {
            let sections = Set(found.map(\.section)).count == found.count ? ", or by their section" : ""
            throw StepProblem(
                "\(found.count) buttons are called \(label.inQuotes)\(place): say which, by number\(sections)"
            )
        }
        return found[0]
    }

    private func nothingToTap(_ label: String, _ section: String?, _ page: PageContents) -> StepProblem {
        if let widget = page.widgets.first(where: { $0.typ == "textfield" && $0.label == label }) {
            return StepProblem("\(label.inQuotes) is a \(widget.typ): enter(_:into:) types into it")
        }
        if let widget = page.widgets.first(where: { $0.typ == "selector" && $0.label == label }) {
            return StepProblem("\(label.inQuotes) is a \(widget.typ): choose(_:from:) chooses from it")
        }
        let buttons = page.widgets.filter { Self.tappable.contains($0.typ) }
        guard let section else { return missing("button", label, among: buttons.compactMap(\.label)) }
        let inside = buttons.filter { $0.section == section }
        if !inside.isEmpty {
            let problem = missing("button", label, among: inside.compactMap(\.label))
            return StepProblem("in the section \(section.inQuotes): \(problem.text)")
        }
        let titles = page.widgets.filter { $0.typ == "form_section" }.compactMap { $0.string("title") }
        return missing("section", section, among: titles)
    }

    private func tap(_ widget: PageWidget) async throws(StepProblem) {
        switch widget.typ {
        case "checkbox": await toggle(widget)
        case _ where widget.actions.isEmpty:
            throw StepProblem("the \(widget.typ) \((widget.label ?? "").inQuotes) is disabled: it has no actions")
        default: await run(ActionList(widget.actions))
        }
    }

    private func set(_ label: String, isOn: Bool) async throws(StepProblem) {
        let boxes = try touchablePage().widgets.filter { $0.typ == "checkbox" || $0.typ == "checkbox_button" }
        let named = boxes.filter { $0.label == label }
        guard let box = named.first ?? boxes.first(where: { $0.inputs.first?.name == label }) else {
            throw missing("checkbox", label, among: boxes.flatMap { [$0.label ?? ""] + $0.inputs.map(\.name) })
        }
        guard named.count < 2 else {
            let names = named.flatMap(\.inputs).map(\.name.inQuotes).joined(separator: ", ")
            throw StepProblem("\(named.count) checkboxes are called \(label.inQuotes): say their variable (\(names))")
        }
        let input = box.inputs.first
        let present = input.map { state.value(of: $0) } ?? box.object["initial_bool"]
        if present?.bool ?? false != isOn { try await tap(box) }
    }

    private func toggle(_ box: PageWidget) async {
        guard let input = box.inputs.first else { return }
        let before = state.variables[input.name]
        state.variables[input.name] = .bool(!(state.value(of: input).bool ?? false))
        await run(ActionList(box.actions, revert: ActionList.Revert(variable: input.name, value: before)))
        schedulePoll(for: box)
    }

    private func goBack() async throws(StepProblem) {
        switch try touchablePage().backButton {
        case .standard where state.stack.count < 2:
            throw StepProblem("no back button: this is the only page on the stack")
        case .standard: await run(ActionList([.pop]))
        case .none: throw StepProblem("no back button: the page has none")
        case .custom(let actions) where actions.isEmpty: throw StepProblem("the back button is disabled")
        case .custom(let actions): await run(ActionList(actions))
        }
    }
}
