internal import BacklotJSON

/// A list of actions on its way: they are done in their order, and the first that fails ends the list. A value without I/O:
/// it says what to ask the server for, and takes in the result.
struct ActionList: Sendable {
    /// The work that one action asks for.
    enum Step: Equatable {
        /// It is done.
        case done
        /// It is done, and those after it are not wanted.
        case stop
        /// The server must be asked.
        case ask(Question)
        /// The client forgets who is logged in: its cookie goes too, and it shows its first page.
        case logout
        /// A person must take or choose a photo first.
        case photo(url: String, aspectRatio: Double?)
        /// It can't be done.
        case fail(ShownError)
    }

    /// Something that only the server knows.
    enum Question: Equatable {
        /// A new version of a page on the stack.
        case poll(String)
        case push(String)
        case replaceAll(String)
        case rpc(String, pollsOnUserError: Bool)
    }

    /// A checkbox that goes back to what it was when the list doesn't come to its end.
    struct Revert: Equatable, Sendable {
        let variable: String
        /// The variable's earlier value; nil for unset.
        let value: JSONValue?
    }

    private var actions: [PageAction]
    private let pollsOnUserError: Bool
    let revert: Revert?
    /// The stack that comes back when the list fails; nil for the one that is there then.
    var earlierStack: [ApplinClientState.Entry]?

    init(_ actions: [PageAction], revert: Revert? = nil) {
        self.actions = actions.reversed()
        // In the documented dialect the action is about all others of its list.
        pollsOnUserError = actions.contains(.onUserErrorPoll)
        self.revert = revert
    }

    /// Whether the page is polled before an error of a user is shown.
    func polls(after error: ShownError, of question: Question?) -> Bool {
        guard error.kind == .user else { return false }
        if case .rpc(_, pollsOnUserError: true)? = question { return true }
        return pollsOnUserError
    }

    /// Takes the next action off the list and does what can be done without the server; nil at the end.
    mutating func next(_ state: inout ApplinClientState) -> Step? {
        guard let action = actions.popLast() else { return nil }
        switch action {
        case .onUserErrorPoll, .extra: return .done
        case .stopActions: return .stop
        case .copyToClipboard(let text): state.clipboard = text
        case .launchURL(let url): state.launchedURLs.append(url)
        case .resetVar(let name): state.variables[name] = nil
        case .modal(let modal):
            state.layer = .modal(modal)
            // The modal's buttons have actions of their own; what follows it in the list never runs.
            return .stop
        case .choosePhoto(let url, let ratio), .takePhoto(let url, let ratio):
            return .photo(url: url, aspectRatio: ratio)
        case .logout:
            state.variables = [:]
            state.lastError = nil
            return .logout
        case .pop:
            do throws(ShownError) {
                try state.pop()
            } catch {
                return .fail(error)
            }
        case .poll: return state.top.map { .ask(.poll($0.path)) } ?? .done
        case .push(let path): return .ask(.push(path))
        case .replaceAll(let path): return .ask(.replaceAll(path))
        case .rpc(let url, let polls): return .ask(.rpc(url, pollsOnUserError: polls))
        }
        return .done
    }
}
