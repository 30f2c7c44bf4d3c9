public import BacklotJSON

extension Stub {
    private static let keys = [
        "id", "uuid", "name", "request", "response", "priority", "scenarioName", "requiredScenarioState",
        "newScenarioState", "persistent", "metadata",
    ]

    /// Reads a stub in WireMock's form: `{"request": {…}, "response": {…}}`. Keys that nobody knows are passed over.
    ///
    /// Bodies in files can't be named: ``MockBackend/stub(json:)`` reads those too.
    ///
    /// - Throws: `StubProblem`, with the way to what is wrong.
    public init(json: JSONValue, source: StubSource = .runTime) throws(StubProblem) {
        var reading = StubReading(.passedOver)
        try self.init(Field(json), source: source, &reading)
    }

    init(_ field: Field, source: StubSource, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: Self.keys)
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
        try self["priority"]?.int(in: 1...1_000_000) ?? Stub.defaultPriority
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
