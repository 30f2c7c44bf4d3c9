internal import Backlot
package import BacklotJSON

/// An Applin client as a small value, for those who need very many: it decides what ``ApplinClient`` decides, and leaves all
/// requests to its owner. A value without I/O, without a clock and without cookies.
///
/// Pages are judged by nobody, and are shared: many phones hold the same one.
package struct Phone: Sendable {
    /// What follows from a step or an answer.
    package enum Next {
        /// The step is over.
        case done
        /// The step can't be done with what is on the screen; the text says why.
        case impossible(String)
        /// The server must be asked; the answer comes back by ``Phone/answer(_:now:)``.
        case ask(Question)
    }

    /// Something that the server must be asked.
    package struct Question {
        /// What comes back.
        package enum Kind {
            /// A page.
            case page
            /// Nothing but a status.
            case rpc
            /// Nothing but a status; a photo is sent.
            case upload
        }

        package let kind: Kind
        /// The path below the app's base URL.
        package let path: String
        /// The variables to be sent; nil for none.
        package let variables: JSONObject?
        /// Whether the phone has logged out, and its session's cookie is to be forgotten first.
        package var forgetsSession = false
    }

    /// What is waited for.
    enum Wait {
        case nothing
        case action(ActionList.Question, ActionList)
        /// A page whose inputs are to be validated.
        case validation(String, ActionList, ActionList.Question)
        /// The visible page, before an error is shown.
        case poll(String, ActionList, ShownError)
        case upload(ActionList)
        /// A page that refreshes itself, and others that are due after it.
        case refresh(String, ArraySlice<String>)
    }

    /// The page that the app begins with.
    package static let firstPage = "/"

    var state = AppState()
    var wait = Wait.nothing
    var hasLoggedOut = false

    /// A phone whose app isn't launched.
    package init() {}

    /// Whether the app is launched.
    package var isLaunched: Bool { !state.stack.isEmpty }
    /// The visible page's path; empty before the launch.
    package var path: String { state.top?.path ?? "" }
    /// How many pages are on the stack.
    package var depth: Int { state.stack.count }

    /// When it next refreshes a page by itself, in milliseconds of its clock; nil for never.
    package var nextRefresh: Int64? {
        var due: Int64?
        // By place, since a copy of an entry costs more than all the rest.
        for index in state.stack.indices {
            guard let seconds = state.stack[index].page.pollSeconds,
                StaticPages.page(state.stack[index].path) == nil
            else { continue }
            due = min(due ?? .max, state.stack[index].updated + seconds * 1000)
        }
        return state.polls.nextRefresh(due: due)
    }

    // MARK: Steps

    /// Does a step.
    ///
    /// - Parameter now: milliseconds since the phone was made.
    package mutating func begin(_ move: PhoneMove, now: Int64) -> Next {
        state.now = max(state.now, now)
        if case .launch(let path) = move { return start(path ?? Self.firstPage) }
        guard isLaunched else { return .impossible("the app isn't launched") }
        switch move {
        case .launch: return .done
        case .open(let path): return start(path)
        case .relaunch(let keepsStack):
            let paths = state.restorablePaths
            return start(keepsStack ? paths.last ?? "/" : "/", below: keepsStack ? paths.dropLast() : [])
        case .pullToRefresh: return goOn(ActionList([.poll]))
        case .uploadPhoto:
            guard case .photoPicker(let picked) = state.layer else { return .impossible("it doesn't ask for a photo") }
            state.layer = .none
            wait = .upload(picked.list)
            return .ask(Question(kind: .upload, path: picked.url, variables: nil))
        case .cancelPhoto:
            guard case .photoPicker(let picked) = state.layer else { return .impossible("it doesn't ask for a photo") }
            state.layer = .none
            undo(picked.list)
            return .done
        case .tap(let label, _):
            if case .modal(let modal) = state.layer {
                guard let button = modal.buttons.first(where: { $0.text == label }) else {
                    return .impossible("the modal \(modal.title.inQuotes) has no button \(label.inQuotes)")
                }
                state.layer = .none
                return goOn(ActionList(button.actions))
            }
        default: break
        }
        guard case .none = state.layer else { return .impossible("something is in front of the page") }
        if case .wander(let chance) = move { return wander(chance) }
        return touch(move, state.stack[depth - 1].page)
    }

    private mutating func touch(_ move: PhoneMove, _ page: PageContents) -> Next {
        switch move {
        case .back: return goBack(page)
        case .tap(let label, let number):
            let found = page.widgets.filter { ApplinClient.tappable.contains($0.typ) && $0.label == label }
            if found.isEmpty, label == "Back", page.backButton != .none { return goBack(page) }
            guard found.indices.contains((number ?? 1) - 1) else { return missing("button", label) }
            return tap(found[(number ?? 1) - 1])
        case .check(let name, let isOn):
            let boxes = page.widgets.filter { $0.typ == "checkbox" || $0.typ == "checkbox_button" }
            guard let box = boxes.first(where: { $0.label == name }) ?? boxes.first(where: { $0.sets(name) }) else {
                return missing("checkbox", name)
            }
            let present = box.inputs.first.map { state.value(of: $0) } ?? box.object["initial_bool"]
            return present?.bool ?? false == isOn ? .done : tap(box)
        case .enter(let text, let name):
            guard let field = input("textfield", name, page) else { return missing("textfield", name) }
            state.enter(text, into: field)
            schedulePoll(for: field)
            return .done
        case .choose(let option, let name):
            guard let selector = input("selector", name, page) else { return missing("selector", name) }
            let columns = zip(selector.inputs.map(\.name), selector.columns)
            guard
                let column = columns.first(where: {
                    (selector.label == name || $0.0 == name) && $0.1.contains(option)
                })
            else { return missing("option", option) }
            state.variables[column.0] = .string(option)
            schedulePoll(for: selector)
            return .done
        default: return .done
        }
    }

    private func missing(_ noun: String, _ name: String) -> Next {
        .impossible("\(path.cut(to: 100)) has no \(noun) \(name.cut(to: 100).inQuotes)")
    }

    private func input(_ typ: String, _ name: String, _ page: PageContents) -> PageWidget? {
        page.widgets.first { $0.typ == typ && $0.label == name }
            ?? page.widgets.first { $0.typ == typ && $0.sets(name) }
    }

    private mutating func schedulePoll(for widget: PageWidget) {
        guard let delay = widget.pollDelay else { return }
        state.polls.schedule(after: delay, now: state.now)
    }

    private mutating func tap(_ widget: PageWidget) -> Next {
        if widget.typ == "checkbox", let input = widget.inputs.first {
            let before = state.variables[input.name]
            state.variables[input.name] = .bool(!(state.value(of: input).bool ?? false))
            schedulePoll(for: widget)
            return goOn(ActionList(widget.actions, revert: ActionList.Revert(variable: input.name, value: before)))
        }
        guard !widget.actions.isEmpty else { return .impossible("\((widget.label ?? "").inQuotes) is disabled") }
        return goOn(ActionList(widget.actions))
    }

    private mutating func goBack(_ page: PageContents) -> Next {
        switch page.backButton {
        case .standard where depth < 2: .impossible("\(path.cut(to: 100)) is the only page on the stack")
        case .standard: goOn(ActionList([.pop]))
        case .custom(let actions) where !actions.isEmpty: goOn(ActionList(actions))
        case .none, .custom: .impossible("\(path.cut(to: 100)) has no back button")
        }
    }

    /// Goes to some page that the visible one leads to; from a page that leads nowhere, back to one that does, or to the first one.
    private mutating func wander(_ chance: UInt64) -> Next {
        var top = depth - 1
        while top > 0, state.stack[top].page.ways.isEmpty || top > 5, state.stack[top].page.backButton == .standard {
            try? state.pop()
            top -= 1
        }
        let count = state.stack[top].page.ways.count
        guard count > 0, top < 7 else { return start(Self.firstPage) }
        let way = state.stack[top].page.ways[Int(chance % UInt64(count))]
        return goOn(ActionList(state.stack[top].page.widgets[way].actions))
    }

    private mutating func start(_ path: String, below: ArraySlice<String> = []) -> Next {
        state.start(with: below + [path])
        return goOn(ActionList([.poll]))
    }
}

/// Something that a person does with a phone.
package enum PhoneMove: Sendable, Equatable {
    /// Starts the app, with its first page or another.
    case launch(String?)
    /// Follows a link into the running app.
    case open(String)
    case relaunch(keepsStack: Bool)
    case tap(String, number: Int? = nil)
    case back
    case pullToRefresh
    case check(String, Bool)
    case enter(String, into: String)
    case choose(String, from: String)
    case uploadPhoto
    case cancelPhoto
    /// Goes to some page that can be reached without an rpc, by a random number.
    case wander(UInt64)
}

extension PageWidget {
    fileprivate func sets(_ variable: String) -> Bool { inputs.contains { $0.name == variable } }
}
