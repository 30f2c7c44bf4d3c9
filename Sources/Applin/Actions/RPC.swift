public import Backlot

/// Sends the page's variables to the backend in a POST. It fails on any response but 2xx.
///
/// Source: Applin documentation, Actions, rpc.
public struct RPC: Action, KeyedObject {
    /// The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
    public let url: String

    /// Whether the page is polled before an error is shown, when the backend refused the input (403 or 422).
    let onUserErrorPoll: Bool

    /// `rpc`
    public var typ: StaticString { "rpc" }

    /// The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
    public var argument: String? { url }

    /// Whether the page is polled before an error is shown, when the backend refused the input (403 or 422).
    public var pollsOnUserError: Bool { onUserErrorPoll }

    static let vocabulary = Kind(
        RPC(url: "", onUserErrorPoll: false),
        "Sends the page's variables to the backend in a POST.",
        argument: "url"
    )

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("url", url).required("The path to send the variables to, inside the app's base URL.")
        keys("on_user_error_poll", onUserErrorPoll ? true : nil).optional(
            "Whether the page is polled before an error is shown, when the backend refused the input.",
            default: false,
            support: .since("0.32")
        )
    }
}

/// Makes an ``RPC``.
///
/// ```swift
/// formButton("Save", rpc("/save", onUserErrorPoll: true), pop())
/// ```
/// - Parameters:
///   - url: The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
///   - onUserErrorPoll: Whether the page is polled before an error is shown, when the backend refused the input (403 or
///     422), so that the page can mark the inputs.
public func rpc(_ url: String, onUserErrorPoll: Bool = false) -> RPC {
    RPC(url: url, onUserErrorPoll: onUserErrorPoll)
}

/// Makes an ``RPC`` of the app.
///
/// ```swift
/// let clear = app.rpc("/clear") { request in try await request.session.logOut() }
/// formButton("Clear", rpc(clear), poll())
/// ```
/// - Parameters:
///   - rpc: The value that `app.rpc` returned.
///   - onUserErrorPoll: As for a path. nil means true for an rpc with a `FormValidator`: the page then shows its messages.
public func rpc(_ rpc: RPCRoute<Never>, onUserErrorPoll: Bool? = nil) -> RPC {
    RPC(url: rpc.path, onUserErrorPoll: onUserErrorPoll ?? rpc.isChecked)
}

/// Makes an ``RPC`` with a parameter in its path.
///
/// ```swift
/// let water = app.rpc("/plots/{id}/water", id: Int.self) { id, _ in await plots.water(id) }
/// formButton("Water", rpc(water, id: 7), poll())
/// ```
public func rpc<ID: RouteID>(_ rpc: RPCRoute<ID>, id: ID, onUserErrorPoll: Bool? = nil) -> RPC {
    RPC(url: rpc.path(to: id), onUserErrorPoll: onUserErrorPoll ?? rpc.isChecked)
}

/// When an action of this list fails because the backend refused the input (403 or 422), polls the page before it shows the
/// error, so that the page can mark the inputs.
///
/// Source: Applin documentation, Actions, on_user_error_poll.
public struct OnUserErrorPoll: Action, KeyedObject {
    /// `on_user_error_poll`
    public var typ: StaticString { "on_user_error_poll" }

    static let vocabulary = Kind(
        OnUserErrorPoll(),
        "Polls the page before an error is shown, when an action of this list was refused.",
        support: Support(since: "0.24", until: "0.31"),
        instead: "Remove it, and write \"on_user_error_poll\":true into the rpc of this list."
    )

    package func keys(_ keys: inout some Keys) {}
}

/// Makes an ``OnUserErrorPoll``.
///
/// ```swift
/// formButton("Save", onUserErrorPoll(), rpc("/save"), pop())
/// ```
public func onUserErrorPoll() -> OnUserErrorPoll {
    OnUserErrorPoll()
}
