public import BacklotJSON

/// Sends the page's variables to the backend in a POST. It fails on any answer but 2xx.
///
/// Source: Applin documentation, Actions, rpc.
public struct RPC: Action {
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

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("url", url)
        writer.field("on_user_error_poll", onUserErrorPoll ? true : nil)
    }
}

/// Makes an ``RPC``.
///
/// - Parameters:
///   - url: The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
///   - onUserErrorPoll: Whether the page is polled before an error is shown, when the backend refused the input (403 or
///     422), so that the page can mark the inputs.
public func rpc(_ url: String, onUserErrorPoll: Bool = false) -> RPC {
    RPC(url: url, onUserErrorPoll: onUserErrorPoll)
}
