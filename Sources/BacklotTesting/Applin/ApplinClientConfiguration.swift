public import Applin
public import Backlot

/// How a client in a test behaves. The defaults suit most tests.
public struct ApplinClientConfiguration: Sendable {
    /// Which clients the app is for, and so by which rules its pages are judged. nil: as the router says, or else the first
    /// page with an action.
    public var dialect: Dialect?
    /// The page that the app shows when it is started for the first time, and after a log-out.
    public var firstPage = "/"
    /// From which severity on a finding makes the step fail in which it was made; nil for never.
    ///
    /// Findings are mistakes of the backend: what clients reject, answers of 400 and 404 and 500, a body that ends early. 403
    /// and 422 are none: they tell the user something.
    public var failingSeverity: Finding.Severity? = .error
    /// The names of rules that don't count in this test, such as `server-error` where a page shows errors on purpose.
    public var ignoredRules: Set<String> = []
    /// How much is taken of the backend, and how long it is waited for.
    public var limits = ClientLimits()
    /// Where in its range the wait before a refresh lies, from -1 to 1, asked for each. Real clients draw it by chance; here
    /// it is the middle, so that a test runs the same every time.
    public var jitter: @Sendable () -> Double = { 0 }

    /// The default behaviour.
    public init() {}
}
