internal import BacklotJSON

/// A list of actions in progress. The actions run in order, and the first failure ends the list. A value without I/O: it returns
/// the requests for the server, and takes in their results.
struct ActionList: Sendable {
    /// The next thing to do for an action.
    enum Step: Equatable {
        /// The action is done.
        case done
        /// The action is done, and ends the list.
        case stop
        /// The client must send a request to the server.
        case ask(Question)
        /// The client logs out: it drops the session cookie and shows its first page.
        case logout
        /// A person must take or choose a photo first.
        case photo(url: String, aspectRatio: Double?)
        /// The action can't be done.
        case fail(ShownError)
    }

    /// A request that only the server can fulfil.
    enum Question: Equatable {
        /// A new version of a page on the stack.
        case poll(String)
        case push(String)
        case replaceAll(String)
        case rpc(String, pollsOnUserError: Bool)
    }

    /// A checkbox that reverts to its earlier value if the list doesn't run to its end.
    struct Revert: Equatable, Sendable {
        let variable: String
        /// The variable's earlier value; nil for unset.
        let value: JSONValue?
    }

    private var actions: [PageAction]
    private let pollsOnUserError: Bool
    let revert: Revert?
    /// The stack to restore if the list fails; nil to keep the current one.
    var earlierStack: [ApplinClientState.Entry]?

    init(_ actions: [PageAction], revert: Revert? = nil) {
        self.actions = actions.reversed()
        // In the documented dialect, this action applies to its whole list.
        pollsOnUserError = actions.contains(.onUserErrorPoll)
        self.revert = revert
    }

    /// Whether to poll the page before showing an error to the user.
    func polls(after error: ShownError, of question: Question?) -> Bool {
        guard error.kind == .user else { return false }
        if case .rpc(_, pollsOnUserError: true)? = question { return true }
        return pollsOnUserError
    }

    /// Removes the next action and does as much of it as possible without the server; nil at the end.
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
            // The modal's buttons have their own actions. Any action after the modal never runs.
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
