public import BacklotHTTP

/// A request, and what became of it.
public struct MockExchange: Sendable {
    /// The request.
    public let request: MockRequest
    /// The stub that matched; nil when none did.
    public let stub: Stub?
    /// The answer as it leaves the mocks: after templates and cookies, before compression. Its body may be a fault.
    public let response: Response
    /// Where the request came from.
    public let scope: ScenarioStates.Scope
}

/// Something that wants to know of every exchange, such as a journal.
public protocol MockObserver: Sendable {
    /// Called with each answer, before it goes out, on the event loop of its connection.
    func answered(_ exchange: MockExchange)
}
