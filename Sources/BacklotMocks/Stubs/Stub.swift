public import Backlot

/// A condition on requests, with a response.
public struct Stub: Sendable {
    /// The priority of stubs without one.
    public static let defaultPriority = 5
    /// The lowest priority.
    static let lowestPriority = 1_000_000

    /// The id of the stub.
    public internal(set) var id: StubID
    /// The name of the stub; nil without one.
    public internal(set) var name: String?
    /// Whether it comes from a file for a WebSocket. On a path with other files, it responds to clients that open one.
    var opensWebSocket = false
    /// The source of the stub: a file, or a command.
    public package(set) var source: StubSource
    /// 1 takes precedence over higher numbers. Among stubs of one priority, those added at run time come before those of files, and
    /// later ones before earlier ones. Among files, a literal path comes before one with parameters.
    public internal(set) var priority = Stub.defaultPriority
    /// The requests that it matches.
    public internal(set) var request: RequestPattern
    /// The response to a request that matches.
    public internal(set) var response: StubResponse
    /// The scenario that it belongs to, with the states.
    public internal(set) var scenario: StubScenario?
    /// Its changes of other scenarios; nil for none.
    var moves: ScenarioMoves?
    /// A line for the log; nil for none.
    var log: String?
    /// The requests that it sends after its response.
    var webhooks: [Webhook] = []
    /// Whether it is also kept in a file.
    var isPersistent = false
    /// The stub in WireMock's form: the complete input, and its id.
    public internal(set) var json: JSONValue
    /// Its use of data; nil without data.
    var data: StubData?
    /// Whether it responds with rows of data.
    package var hasRows: Bool { data?.crud != nil }
    /// The rules that its page breaks on purpose, by their names.
    package var expectedRules: [String] = []
}

/// A stub's part in a scenario: a state machine with named states that begins in `Started`.
public struct StubScenario: Sendable, Equatable {
    /// The scenario's name.
    public var name: String
    /// The required state of the scenario; nil for any.
    public var requiredState: String?
    /// The state that the scenario is in afterwards; nil for no change.
    public var newState: String?
}

/// The source of a stub.
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
    static let kind = Kind(
        "mapping",
        as: [.mapping],
        "A stub in WireMock's form: the requests that it matches, and the response.",
        keys: [
            .optional("$schema", .string, "The schema of the file, for editors."),
            .optional("id", .uuid, "The stub's UUID; a new one without the key."),
            .optional("uuid", .uuid, "The stub's UUID, under WireMock's other name."),
            .optional("request", .object(.request), "The requests that it matches; without it, all."),
            .optional("response", .object(.response), "The answer."),
        ] + sharedKeys + Webhook.keys + [
            .optional("persistent", .bool, "Whether it is kept in a file.", default: false),
            .optional("metadata", .map(.any), "Anything, for the tools that read stubs."),
            .optional("insertionIndex", .any, "Nothing: WireMock writes it."),
        ]
    )

    /// The keys that stubs have in every form.
    static let sharedKeys: [Key] =
        [
            .optional("name", .string, "A name for people."),
            .optional("priority", .whole(1...lowestPriority), "Stubs with lower numbers take precedence.", default: 5),
        ] + StubScenario.keys

    /// Reads a stub in WireMock's form: `{"request": {…}, "response": {…}}`. Unknown keys are ignored, except those of the request.
    ///
    /// Bodies in files can't be named: ``MockBackend/stub(json:)`` reads those too.
    ///
    /// - Throws: `StubError`, with the way to the mistake.
    public init(json: JSONValue, source: StubSource = .runTime) throws(StubError) {
        var reader = MockReader(isForeign: true)
        try self.init(LocatedValue(json), source: source, &reader)
    }

    init(_ document: LocatedValue, source: StubSource, _ reader: inout MockReader) throws(StubError) {
        try reader.check(document, as: .mapping)
        var request = RequestPattern()
        if let part = document["request"] {
            request = try RequestPattern(part, &reader)
        } else {
            reader.warn(document.problem("the key 'request' is missing: the stub matches every request"))
        }
        var object = try document.object()
        let text = document["id"] ?? document["uuid"]
        let id = text?.value.string.flatMap { StubID($0) } ?? StubID()
        (object["uuid"], object["id"]) = (.string("\(id)"), .string("\(id)"))
        let response = document["response"] ?? LocatedValue([:])
        self.init(
            id: id,
            source: source,
            request: request,
            response: try StubResponse(response, isOwn: false, &reader),
            json: .object(object)
        )
        try readShared(document)
        webhooks = try Webhook.list(document)
        isPersistent = object["persistent"]?.bool ?? false
    }

    /// A stub from a file of another form than WireMock's, with its presentation by commands.
    ///
    /// - Parameters:
    ///   - shown: the method that commands show.
    ///   - urlKey: the key under which they show the path; nil for the usual one.
    init(
        _ id: StubID,
        at path: PathPattern,
        _ methods: [HTTPRequest.Method],
        as shown: String,
        in file: String,
        line: Int = 1,
        urlKey: String? = nil,
        response: JSONValue = ["status": 200],
        metadata: JSONObject = [:]
    ) {
        var pattern = RequestPattern()
        pattern.methods = methods
        pattern.url = .template(path)
        let key = urlKey ?? (path.hasParameters ? "urlPathTemplate" : "urlPath")
        var all: JSONObject = ["file": .string(file)]
        for member in metadata.members { all[member.key] = member.value }
        self.init(
            id: id,
            source: .file(file, line: line),
            request: pattern,
            response: StubResponse(),
            json: [
                "id": .string("\(id)"), "uuid": .string("\(id)"), "name": .string(file),
                "request": .object(["method": .string(shown), key: .string(path.text)]),
                "response": response, "metadata": .object(all),
            ]
        )
    }

    /// Reads the keys that stubs have in every form.
    mutating func readShared(_ document: LocatedValue) throws(StubError) {
        name = document.value["name"]?.string
        priority = document.value["priority"]?.int ?? Self.defaultPriority
        scenario = try StubScenario(document)
    }
}

extension StubScenario {
    static let started = "Started"
    static let keys: [Key] = [
        .optional("scenarioName", .string, "The scenario: a state machine with named states that begins in Started."),
        .optional("requiredScenarioState", .string, "The state in which the stub matches; without it, any."),
        .optional("newScenarioState", .string, "The state of the scenario afterwards; without it, the same."),
    ]

    /// - Returns: nil for a value without a scenario.
    init?(_ stub: LocatedValue) throws(StubError) {
        let (required, new) = (stub["requiredScenarioState"], stub["newScenarioState"])
        guard let name = stub.value["scenarioName"]?.string else {
            guard let state = required ?? new else { return nil }
            throw state.problem("a state belongs to a scenario; write its scenarioName too")
        }
        self.init(name: name, requiredState: required?.value.string, newState: new?.value.string)
    }
}
