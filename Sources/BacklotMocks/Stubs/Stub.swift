public import BacklotJSON

/// Which requests are answered, and how.
public struct Stub: Sendable {
    /// The priority of stubs that name none.
    public static let defaultPriority = 5
    /// The priority that is asked last.
    static let lowestPriority = 1_000_000

    /// Its id.
    public internal(set) var id: StubID
    /// Its name; nil when it has none.
    public internal(set) var name: String?
    /// Where it is from.
    public package(set) var source: StubSource
    /// 1 is asked first. Among stubs of one priority, what was added at run time goes before files, later before earlier;
    /// among files a literal path goes before one with parameters.
    public internal(set) var priority = Stub.defaultPriority
    /// The requests that it answers.
    public internal(set) var request: RequestPattern
    /// How it answers.
    public internal(set) var answer: StubAnswer
    /// The scenario that it is part of, and what that has to do with it.
    public internal(set) var scenario: StubScenario?
    /// The requests that it sends after it has answered.
    var webhooks: [Webhook] = []
    /// Whether it is kept in a file as long as it is there.
    var isPersistent = false
    /// The stub in WireMock's form: what was read, whole, and its id.
    public internal(set) var json: JSONValue
    /// What it has to do with data; nil for nothing.
    var data: StubData?
    /// Whether it responds with rows of data.
    package var hasRows: Bool { data?.crud != nil }
    /// The rules that its page breaks on purpose, by their names.
    package var expectedRules: [String] = []
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

/// Where a stub is from.
public enum StubSource: Sendable, Hashable, CustomStringConvertible {
    /// A file, by its path below the routes' folder, and the line at which the stub begins.
    case file(String, line: Int)
    /// It was added while the server ran.
    case runTime

    /// `users/[id].get.yaml:3`, or `added at run time`.
    public var description: String {
        switch self {
        case .file(let path, let line): "\(path):\(line)"
        case .runTime: "added at run time"
        }
    }

    var isFile: Bool { self != .runTime }
}

extension Stub {
    /// Keys that say nothing to a server.
    static let ignoredKeys = ["$schema", "insertionIndex"]
    static let keys = [
        "id", "uuid", "name", "request", "response", "priority", "scenarioName", "requiredScenarioState",
        "newScenarioState", "persistent", "metadata", "serveEventListeners", "postServeActions",
    ]

    /// Reads a stub in WireMock's form: `{"request": {…}, "response": {…}}`. Unknown keys are
    /// ignored, but for those of the request.
    ///
    /// Bodies in files can't be named: ``MockBackend/stub(json:)`` reads those too.
    ///
    /// - Throws: `StubProblem`, with the way to what is wrong.
    public init(json: JSONValue, source: StubSource = .runTime) throws(StubProblem) {
        var reading = StubReading(.passedOver)
        try self.init(Field(json), source: source, &reading)
    }

    init(_ field: Field, source: StubSource, _ reading: inout StubReading) throws(StubProblem) {
        if field["request"] == nil {
            // Without its conditions the stub would answer everything: they may be under a misspelt key.
            try reading.refuse(field, but: Self.keys + Self.ignoredKeys)
            reading.warn(StubProblem("there is no key 'request': the stub answers every request", at: field.path))
        }
        try reading.check(field, knows: Self.keys, ignored: Self.ignoredKeys)
        self.source = source
        id = try Self.id(field) ?? StubID()
        name = try field["name"]?.string()
        priority = try field.stubPriority()
        request =
            try field["request"].map { field throws(StubProblem) in try RequestPattern(field, &reading) }
            ?? RequestPattern()
        let response = field["response"]
        answer =
            try response.map { field throws(StubProblem) in try StubAnswer(field, isOwn: false, &reading) }
            ?? StubAnswer()
        scenario = try StubScenario(field)
        webhooks = try Webhook.list(field, &reading)
        isPersistent = try field["persistent"]?.bool() ?? false
        if let metadata = field["metadata"] { _ = try metadata.object() }
        var document = try field.object()
        document["uuid"] = .string("\(id)")
        document["id"] = .string("\(id)")
        json = .object(document)
    }

    private static func id(_ field: Field) throws(StubProblem) -> StubID? {
        guard let text = field["id"] ?? field["uuid"] else { return nil }
        guard let id = StubID(try text.string()) else {
            throw text.problem("\(text.value.excerpt) is no UUID; write one, or leave the key out")
        }
        return id
    }
}

extension Field {
    func stubPriority() throws(StubProblem) -> Int {
        try self["priority"]?.int(in: 1...Stub.lowestPriority) ?? Stub.defaultPriority
    }
}

extension StubScenario {
    static let started = "Started"

    /// - Returns: nil when the field is about no scenario.
    init?(_ field: Field) throws(StubProblem) {
        let required = field["requiredScenarioState"]
        let new = field["newScenarioState"]
        guard let name = field["scenarioName"] else {
            if let state = required ?? new {
                throw state.problem("a state belongs to a scenario; write its scenarioName too")
            }
            return nil
        }
        self.name = try name.string()
        requiredState = try required?.string()
        newState = try new?.string()
    }
}
