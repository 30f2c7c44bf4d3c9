import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// A command: the request, and what its path names.
struct AdminCall: Sendable {
    let request: MockRequest
    /// The values of the path's parameters, decoded, in their order.
    let parameters: [String]

    /// The last value of a parameter of the query; nil when there is none, or it is empty.
    func query(_ name: String) -> String? {
        request.queryParameters.last { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// A parameter of the query that is a whole number, 0 or more.
    func number(_ name: String) throws(AdminProblem) -> Int? {
        guard let text = query(name) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw AdminProblem(.unprocessableContent, "Bad parameter", "\(name) is '\(text)'; write a number from 0 on")
        }
        return number
    }

    /// The id that the path names.
    func id(_ what: String) throws(AdminProblem) -> StubID {
        guard let id = StubID(parameters[0]) else { throw .notFound("\(what) \(parameters[0]): that is no UUID") }
        return id
    }

    /// The body as JSON.
    func json() throws(AdminProblem) -> JSONValue {
        do throws(JSONParseError) {
            return try JSONValue(parsing: request.body.span)
        } catch {
            throw AdminProblem(.unprocessableContent, "Error parsing JSON", "\(error)")
        }
    }

    /// The body as a JSON object. None is an empty one.
    func object() throws(AdminProblem) -> JSONObject {
        if request.body.isEmpty { return [:] }
        guard let object = try json().object else {
            throw AdminProblem(.unprocessableContent, "Error parsing JSON", "the body must be an object, such as {}")
        }
        return object
    }

    /// Refuses keys of an object that nobody knows. Those that are null say nothing.
    static func check(_ object: JSONObject, knows keys: [String]) throws(AdminProblem) {
        let unknown = object.members.first { !keys.contains($0.key) && !$0.value.isNull }
        guard let key = unknown?.key else { return }
        throw .value(key, "there is no key '\(key)'; write one of \(keys.joined(separator: ", "))")
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

    /// A request pattern with what WireMock's clients write in other ways than files do: one body pattern without a list,
    /// and credentials, which are a header field.
    static func completed(pattern: JSONValue) -> JSONValue {
        guard var object = pattern.object else { return pattern }
        if case .object? = object["bodyPatterns"], let only = object["bodyPatterns"] {
            object["bodyPatterns"] = .array([only])
        }
        if let user = object["basicAuthCredentials"]?["username"]?.string,
            let password = object["basicAuthCredentials"]?["password"]?.string
        {
            var headers = object["headers"]?.object ?? [:]
            headers["Authorization"] = ["equalTo": .string("Basic \(Base64.encode("\(user):\(password)"))")]
            object["headers"] = .object(headers)
            object["basicAuthCredentials"] = nil
        }
        return .object(object)
    }

    /// A stub whose request pattern is completed.
    static func completed(stub: JSONValue) -> JSONValue {
        guard var object = stub.object, let pattern = object["request"] else { return stub }
        object["request"] = completed(pattern: pattern)
        return .object(object)
    }
}
