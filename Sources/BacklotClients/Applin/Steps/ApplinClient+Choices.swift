package import Backlot
package import BacklotJSON

/// What can be done on the screen: for what goes through an app by itself.
extension ApplinClient {
    /// The visible page, where nothing stands in front of it.
    package var touchable: PageContents? {
        if case .none = state.layer { state.top?.page } else { nil }
    }

    /// Whether the visible page has a button at the start of its title bar that can be tapped.
    package var canGoBack: Bool {
        switch touchable?.backButton {
        case .standard?: state.stack.count > 1
        case .custom(let actions)?: !actions.isEmpty
        case .some(.none), nil: false
        }
    }

    /// The value that an input sends.
    package func sentValue(of input: PageInput) -> JSONValue { state.value(of: input) }

    /// How long it takes until the client refreshes a page by itself; nil where it never does.
    package var timeToRefresh: Duration? {
        let due = state.stack.filter { StaticPages.page($0.path) == nil }
            .compactMap { entry in entry.page.pollSeconds.map { entry.updated + $0 * 1000 } }
            .min()
        return state.polls.nextRefresh(due: due).map { .milliseconds(max(0, $0 - state.now)) }
    }

    /// What was wrong with the backend in the last step.
    package var findingsOfStep: [Finding] { stepFindings }

    /// What tells one state from another that looks different or sends something else.
    package var situation: String {
        let variables = state.variables.sorted { $0.key < $1.key }.map { "\($0.key.inQuotes)=\($0.value)" }
        return "\(stack)\n\(variables)\n\(screen)"
    }
}
