public import BacklotJSON

/// Which requests are answered, and how.
public struct Stub: Sendable {
    /// The priority of stubs that name none.
    public static let defaultPriority = 5

    /// Its id.
    public internal(set) var id: StubID
    /// Its name; nil when it has none.
    public internal(set) var name: String?
    /// Where it is from.
    public internal(set) var source: StubSource
    /// 1 is asked first. Among stubs of one priority, what was added at run time goes before files, later before earlier;
    /// among files a literal path goes before one with parameters.
    public internal(set) var priority = Stub.defaultPriority
    /// The requests that it answers.
    public internal(set) var request: RequestPattern
    /// How it answers.
    public internal(set) var answer: StubAnswer
    /// The scenario that it is part of, and what that has to do with it.
    public internal(set) var scenario: StubScenario?
    /// The stub in WireMock's form: what was read, whole, and its id.
    public internal(set) var json: JSONValue
}

/// A stub's part in a scenario: a machine of named states, which begins in `Started`.
public struct StubScenario: Sendable, Equatable {
    /// The scenario's name.
    public var name: String
    /// The state in which the stub answers; nil for any.
    public var requiredState: String?
    /// The state that the scenario is in afterwards; nil for no change.
    public var newState: String?
}
