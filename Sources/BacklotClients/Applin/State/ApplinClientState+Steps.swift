internal import Backlot

/// The steps of a person, and the requests that follow from them.
extension ApplinClientState {
    static let tappable: Set<String> = ["button", "form_button", "nav_button", "checkbox", "checkbox_button"]

    /// Begins a step.
    ///
    /// - Parameter now: milliseconds since the client was made.
    package mutating func begin(_ step: ClientStep, now: Int64) -> Next {
        self.now = max(self.now, now)
        do throws(BareStepError) {
            return try perform(step)
        } catch {
            return .impossible(error.text)
        }
    }

    mutating func perform(_ step: ClientStep) throws(BareStepError) -> Next {
        if case .launch(let path) = step {
            guard isLenient || !isLaunched else {
                throw BareStepError("the app was launched before; relaunch() starts it again")
            }
            return start([path ?? firstPage])
        }
        guard isLaunched else { throw BareStepError("the app isn't launched: call launch() first") }
        switch step {
        case .launch, .wait, .forgetCookies: return .done
        case .open(let path): return open([path])
        case .relaunch(let keepsStack): return start(restarted(keepsStack))
        case .tap(let label, let number): return try tap(label, number: number)
        case .back: return try goBack()
        case .pullToRefresh:
            let page = try touchablePage()
            guard isLenient || page.isPullable else {
                throw BareStepError("the page has no scroll that can be pulled down")
            }
            return goOn(ActionList([.poll]))
        case .check(let name): return try set(name, isOn: true)
        case .uncheck(let name): return try set(name, isOn: false)
        case .enter(let text, let field, _):
            let widget = try input("textfield", field)
            enter(text, into: widget)
            schedulePoll(for: widget)
            return .done
        case .choose(let option, let selector): return try choose(option, from: selector)
        case .uploadPhoto:
            let picked = try closePhotoPicker()
            wait = .upload(picked.list)
            return .ask(Question(kind: .upload, path: picked.url))
        case .cancelPhoto:
            undo(try closePhotoPicker().list)
            return .done
        }
    }

    /// Shows pages as at the start of the app, and loads the visible one, which is the last.
    mutating func start(_ paths: [String]) -> Next {
        start(with: paths)
        return goOn(ActionList([.poll]))
    }

    /// Shows the pages of a link into the running app. The first replaces the stack and the others are pushed; if one fails, the
    /// old stack returns. Equal pages are only refreshed.
    mutating func open(_ paths: [String]) -> Next {
        layer = .none
        guard let first = paths.first, stack.map(\.path) != paths else { return goOn(ActionList([.poll])) }
        var list = ActionList([.replaceAll(first)] + paths.dropFirst().map { .push($0) })
        list.earlierStack = stack
        return goOn(list)
    }

    /// The pages of a restarted app; `/` without pages to restore.
    func restarted(_ keepsStack: Bool) -> [String] {
        keepsStack && !restorablePaths.isEmpty ? restorablePaths : ["/"]
    }

    /// Goes to a random page that the visible one links to. From a page without links it goes back to one with links, or to the first page.
    package mutating func wander(_ chance: UInt64, now: Int64) -> Next {
        self.now = max(self.now, now)
        guard isLaunched, case .none = layer else { return .impossible("something is in front of the page") }
        var top = stack.count - 1
        while top > 0, stack[top].page.ways.isEmpty || top > 5, stack[top].page.backButton == .standard {
            try? pop()
            top -= 1
        }
        let count = stack[top].page.ways.count
        guard count > 0, top < 7 else { return start([firstPage]) }
        let way = stack[top].page.ways[Int(chance % UInt64(count))]
        return goOn(ActionList(stack[top].page.widgets[way].actions))
    }

    // MARK: Taps

    /// Taps a button by its text or id: a button of the modal if one is open, otherwise of the page. Checkboxes and `Back` work too.
    mutating func tap(_ label: String, number: Int?, in section: String? = nil) throws(BareStepError) -> Next {
        if case .modal(let modal) = layer {
            guard
                let button = modal.buttons.first(where: { $0.text == label })
                    ?? modal.buttons.first(where: { $0.id == label })
            else {
                throw missing("button of the modal", label, among: modal.buttons.map(\.text))
            }
            layer = .none
            return goOn(ActionList(button.actions))
        }
        let page = try touchablePage()
        let buttons = page.widgets.filter { Self.tappable.contains($0.typ) }
        var named = buttons.filter { $0.label == label }
        if named.isEmpty { named = buttons.filter { $0.string("id") == label } }
        if named.isEmpty, label == "Back" || label == page.backButtonID, page.backButton != .none {
            return try goBack()
        }
        let found = section == nil ? named : named.filter { $0.section == section }
        return try tap(theOne(of: found, label, number, section, page))
    }

    private func theOne(
        of found: [PageWidget],
        _ label: String,
        _ number: Int?,
        _ section: String?,
        _ page: PageContents
    ) throws(BareStepError) -> PageWidget {
        let place = section.map { " in the section \($0.inQuotes)" } ?? ""
        guard !found.isEmpty else { throw nothingToTap(label, section, page) }
        if let number {
            guard found.indices.contains(number - 1) else {
                throw BareStepError(
                    "no button \(label.inQuotes) of that number\(place): they count from 1 to \(found.count)"
                )
            }
            return found[number - 1]
        }
        guard isLenient || found.count == 1 else {
            let sections = Set(found.map(\.section)).count == found.count ? ", or by their section" : ""
            throw BareStepError(
                "\(found.count) buttons are called \(label.inQuotes)\(place): say which, by number\(sections)"
            )
        }
        return found[0]
    }

    private func nothingToTap(_ label: String, _ section: String?, _ page: PageContents) -> BareStepError {
        for (typ, advice) in [
            ("textfield", "enter(_:into:) types into it"), ("selector", "choose(_:from:) chooses from it"),
        ] where page.widgets.contains(where: { $0.typ == typ && $0.label == label }) {
            return BareStepError("\(label.inQuotes) is a \(typ): \(advice)")
        }
        let buttons = page.widgets.filter { Self.tappable.contains($0.typ) }
        guard let section else { return missing("button", label, among: buttons.compactMap(\.label)) }
        let inside = buttons.filter { $0.section == section }
        if !inside.isEmpty {
            let problem = missing("button", label, among: inside.compactMap(\.label))
            return BareStepError("in the section \(section.inQuotes): \(problem.text)")
        }
        let titles = page.widgets.filter { $0.typ == "form_section" }.compactMap { $0.string("title") }
        return missing("section", section, among: titles)
    }

    private mutating func tap(_ widget: PageWidget) throws(BareStepError) -> Next {
        if widget.typ == "checkbox", let input = widget.inputs.first {
            let before = variables[input.name]
            variables[input.name] = .bool(!(value(of: input).bool ?? false))
            schedulePoll(for: widget)
            return goOn(ActionList(widget.actions, revert: ActionList.Revert(variable: input.name, value: before)))
        }
        guard !widget.actions.isEmpty else {
            throw BareStepError("the \(widget.typ) \((widget.label ?? "").inQuotes) is disabled: it has no actions")
        }
        return goOn(ActionList(widget.actions))
    }

    private mutating func goBack() throws(BareStepError) -> Next {
        switch try touchablePage().backButton {
        case .standard where stack.count < 2:
            throw BareStepError("no back button: this is the only page on the stack")
        case .standard: return goOn(ActionList([.pop]))
        case .none: throw BareStepError("the page has no back button")
        case .custom(let actions) where actions.isEmpty: throw BareStepError("the back button is disabled")
        case .custom(let actions): return goOn(ActionList(actions))
        }
    }

    // MARK: Inputs

    private mutating func set(_ name: String, isOn: Bool) throws(BareStepError) -> Next {
        let boxes = try touchablePage().widgets.filter { $0.typ == "checkbox" || $0.typ == "checkbox_button" }
        let box = try named(name, boxes, "checkbox", "checkboxes")
        let present = box.inputs.first.map { value(of: $0) } ?? box.object["initial_bool"]
        return present?.bool ?? false == isOn ? .done : try tap(box)
    }

    private mutating func choose(_ option: String, from selector: String) throws(BareStepError) -> Next {
        let widget = try input("selector", selector)
        let columns = Array(zip(widget.inputs.map(\.name), widget.columns))
        let meant = columns.filter { widget.label == selector || $0.0 == selector }
        guard let column = meant.first(where: { $0.1.contains(option) }) else {
            throw missing("option", option, among: meant.flatMap(\.1))
        }
        variables[column.0] = .string(option)
        schedulePoll(for: widget)
        return .done
    }

    private mutating func closePhotoPicker() throws(BareStepError) -> UploadInHand {
        guard case .photoPicker(let picked) = layer else {
            throw BareStepError("the client doesn't ask for a photo: tap what has a choose_photo or take_photo first")
        }
        layer = .none
        return picked
    }

    private func input(_ typ: String, _ name: String) throws(BareStepError) -> PageWidget {
        try named(name, touchablePage().widgets.filter { $0.typ == typ }, typ, "inputs")
    }

    /// The input with this label; otherwise the input that sets the variable of this name, or that has this id.
    private func named(
        _ name: String,
        _ widgets: [PageWidget],
        _ noun: String,
        _ plural: String
    ) throws(BareStepError) -> PageWidget {
        let named = widgets.filter { $0.label == name }
        guard isLenient || named.count < 2 else {
            let names = named.flatMap(\.inputs).map(\.name.inQuotes).joined(separator: ", ")
            throw BareStepError("\(named.count) \(plural) are called \(name.inQuotes): say their variable (\(names))")
        }
        if let widget = named.first ?? widgets.first(where: { $0.inputs.contains { $0.name == name } })
            ?? widgets.first(where: { $0.string("id") == name })
        {
            return widget
        }
        throw missing(noun, name, among: widgets.flatMap { [$0.label ?? ""] + $0.inputs.map(\.name) })
    }

    /// Schedules a refresh of the page if the input requests one after a change.
    private mutating func schedulePoll(for widget: PageWidget) {
        guard let delay = widget.pollDelay else { return }
        polls.schedule(after: delay, now: now)
    }

    // MARK: The screen

    /// The page that can be touched.
    ///
    /// - Throws: `BareStepError` if a modal or the photo picker is in front of the page.
    func touchablePage() throws(BareStepError) -> PageContents {
        switch layer {
        case .none: break
        case .modal(let modal):
            throw BareStepError(
                "the modal \(modal.title.inQuotes) is in front of the page: tap one of its buttons first"
            )
        case .photoPicker:
            throw BareStepError("the photo picker is in front of the page: call uploadPhoto() or cancelPhoto() first")
        }
        guard let page = top?.page else { throw BareStepError("there is no page") }
        return page
    }

    /// The error about a missing name, with the closest existing name or a list of the existing ones.
    private func missing(_ noun: String, _ name: String, among names: [String]) -> BareStepError {
        let start = "no \(noun) \(name.inQuotes)"
        let names = names.filter { !$0.isEmpty }
        if let nearest = Suggestion.nearest(to: name, among: names) {
            return BareStepError("\(start); there is \(nearest.inQuotes)")
        }
        guard !names.isEmpty else { return BareStepError("\(start), nor any other") }
        let shown = names.prefix(12).map(\.inQuotes).joined(separator: ", ")
        return BareStepError(
            "\(start); there \(names.count == 1 ? "is" : "are") \(shown)\(names.count > 12 ? " and \(names.count - 12) more" : "")"
        )
    }
}
