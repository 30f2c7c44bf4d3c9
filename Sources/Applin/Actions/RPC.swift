/// Sends the page's variables to the backend in a POST. It fails on any answer but 2xx.
///
/// Source: Applin documentation, Actions, rpc.
public struct RPC: Action {
    /// The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
    public let url: String

    /// `rpc`
    public var typ: String { "rpc" }

    /// The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
    public var argument: String? { url }
}

/// Makes an ``RPC``.
///
/// - Parameter url: The path to send the variables to, such as `/create_account`; it must be inside the app's base URL.
public func rpc(_ url: String) -> RPC {
    RPC(url: url)
}
