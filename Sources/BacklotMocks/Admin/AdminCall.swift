package import Backlot

/// A command: the request, and what its path names.
package struct AdminCall: Sendable {
    let request: MockRequest
    /// The values of the path's parameters.
    let parameters: PathParameters
    /// The scope of the client that sends the command.
    var ownScope = ScenarioStates.Scope.shared

    /// The last value of a query parameter; nil where it is missing or empty.
    package func query(_ name: String) -> String? {
        request.queryParameters.last { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// A parameter of the query that is a whole number, 0 or more.
    func number(_ name: String) throws(AdminError) -> Int? {
        guard let text = query(name) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw AdminError(.unprocessableContent, "Bad parameter", "\(name) is '\(text)'; write a number from 0 on")
        }
        return number
    }

    /// The id that the path names.
    func id(_ what: String) throws(AdminError) -> StubID {
        let text = parameters["id"] ?? ""
        guard let id = StubID(text) else { throw .notFound("\(what) \(text): that is no UUID") }
        return id
    }

    /// The body as JSON.
    func json() throws(JSONParseError) -> JSONValue { try JSONValue(parsing: request.body.span) }

    /// The body as a JSON object; an empty object for an empty body.
    package func object() throws -> JSONObject {
        if request.body.isEmpty { return [:] }
        guard let object = try json().object else {
            throw AdminError(.unprocessableContent, "Error parsing JSON", "the body must be an object, such as {}")
        }
        return object
    }

    /// The body as an object. Keys outside of the role's kind are errors, unless they are null.
    func object(as role: Role) throws -> LocatedValue {
        let members = try object().members.filter { !$0.value.isNull }
        let value = LocatedValue(.object(JSONObject(pairs: members.map { ($0.key, $0.value) })))
        var reader = MockReader(isForeign: false)
        try reader.check(value, as: role)
        return value
    }

    /// Compares requests or stubs with patterns, within what a command may cost, and logs which patterns were given up.
    func comparing<Result>(on backend: MockBackend, _ body: (inout MatchBudget) -> Result) -> Result {
        var budget = MatchBudget.command
        defer { backend.givenUpLog.note(budget, "\(request.method) \(MockAdmin.path)\(request.path)") }
        return body(&budget)
    }

    /// The body as a request pattern.
    func pattern() throws -> RequestPattern {
        try RequestPattern(json: Self.completed(pattern: .object(try object())))
    }

    /// A request pattern in the form of files. WireMock's clients may send one body pattern without a list.
    package static func completed(pattern: JSONValue) -> JSONValue {
        guard var object = pattern.object else { return pattern }
        if case .object? = object["bodyPatterns"], let only = object["bodyPatterns"] {
            object["bodyPatterns"] = .array([only])
        }
        return .object(object)
    }

    /// A stub with a completed request pattern.
    static func completed(stub: JSONValue) -> JSONValue {
        guard var object = stub.object, let pattern = object["request"] else { return stub }
        object["request"] = completed(pattern: pattern)
        return .object(object)
    }
}

/// A refusal of a command, in WireMock's form for errors.
package struct AdminError: Error, Equatable {
    let status: HTTPResponse.Status
    /// The problem in a few words.
    let title: String
    /// The problem, its place, and the cure.
    let detail: String
    /// The place in the body, as a JSON pointer (RFC 6901); nil for a problem that isn't in the body.
    var pointer: String?
    /// WireMock's number for it.
    let code: Int64

    package init(
        _ status: HTTPResponse.Status,
        _ title: String,
        _ detail: String,
        pointer: String? = nil,
        code: Int64 = 10
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
    }

    /// An error in a stub or a pattern: 422.
    init(_ problem: StubError) {
        let pointer = problem.pointer
        self.init(.unprocessableContent, problem.text, problem.description, pointer: pointer.isEmpty ? nil : pointer)
    }

    /// The refusal for an error that ended a command; 500 for unexpected errors.
    init(_ error: any Error) {
        switch error {
        case let problem as AdminError: self = problem
        case let problem as StubError: self.init(problem)
        case let error as JSONParseError: self.init(.unprocessableContent, "Error parsing JSON", "\(error)")
        case let error as RequestError: self.init(.unprocessableContent, "No such request", error.reason)
        case let problem as DataError: self.init(problem.status, "The data can't be set", problem.text)
        case let error as MessageError: self.init(.unprocessableContent, "Not written", error.description)
        default: self.init(.internalServerError, "Failed", "\(error)")
        }
    }

    /// An invalid value in the body: 422.
    package static func value(_ key: String, _ text: String) -> AdminError {
        AdminError(StubError(text, at: [.key(key)]))
    }

    /// The path names a missing thing: 404.
    static func notFound(_ what: String) -> AdminError {
        AdminError(.notFound, "Not found", "there is no \(what)")
    }

    var response: Response {
        var error: JSONObject = ["code": .number(JSONNumber(code))]
        if let pointer { error["source"] = ["pointer": .string(pointer)] }
        error["title"] = .string(title)
        error["detail"] = .string(detail)
        return Response(json: ["errors": .array([.object(error)])], status: status)
    }
}

extension Response {
    /// Success: an empty object, because some clients parse every body.
    package static var done: Response { Response(json: [:]) }
}
