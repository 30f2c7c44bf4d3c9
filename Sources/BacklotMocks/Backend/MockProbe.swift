package import Backlot

/// A request for one response of the mocks.
package struct MockProbe: Sendable {
    let stub: Stub
    package private(set) var method = HTTPRequest.Method.get
    /// The path, which may have parameters.
    package let pattern: PathPattern
    /// The values that parameters of the path must have.
    package private(set) var parameters: [String: String] = [:]
    package private(set) var query: [NamedValue] = []
    package private(set) var headers: HTTPFields = [:]
    /// The variables, or the members of the body.
    package private(set) var variables = JSONObject()
    /// A body that isn't an object; nil if the variables are the body.
    package private(set) var body: [UInt8]?
    package private(set) var form: [NamedValue] = []
    /// The reason why it can't be requested; nil if it can.
    package private(set) var obstacle: String?

    package var id: StubID { stub.id }
    /// The location of the response.
    package var source: StubSource { stub.source }
    package var scenario: StubScenario? { stub.scenario }
    package var logsIn: Bool { stub.response.session.logIn != nil }
    package var logsOut: Bool {
        let name = pattern.segments.last.map { PathPattern([$0]).text.lowercased().filter(\.isLetter) } ?? ""
        return stub.response.session.logsOut || cookies.contains { $0.contains("Max-Age=0") }
            || method != .get && ["logout", "signout", "logoff"].contains(name)
    }
    /// Whether it refuses a request.
    package var isRefusal: Bool { stub.response.status.kind == .clientError }
    /// The changes of other scenarios.
    package var moves: [(scenario: String, states: [String: String])] {
        stub.moves?.scenarios.map { (scenario: $0.name, states: $0.states) } ?? []
    }
    /// The cookies that it sets.
    private var cookies: [String] {
        stub.response.headers.filter { $0.name == .setCookie }.compactMap(\.value.constant)
    }
    /// The credentials that the mocks' responses contain: tokens, and session cookies with their names.
    package var credentials: [String] {
        let names = SecretNames()
        return headers.flatMap { field in
            field.name == .cookie
                ? CookieHeader.pairs(in: field.value).filter { SecretNames.isSession($0.name) }
                    .map { "\($0.name)=\($0.value)" }
                : field.name == .authorization || names.kind(of: field.name.rawName) != nil
                    ? [String(field.value.split(separator: " ").last ?? "")] : []
        }
    }

    /// Whether its response gives a client its credentials.
    package func gives(_ credential: String) -> Bool {
        cookies.contains { $0.hasPrefix("\(credential);") || $0 == credential }
            || stub.response.body.samples.contains { $0.firstRange(of: Array(credential.utf8)) != nil }
    }
    package var requiresLogin: Bool { stub.response.session.requiresLogin }
    /// Whether it is a page, or the route of a page's action.
    package var takesVariables: Bool { stub.response.takesVariables }
    /// The header fields that the mock itself sets.
    package var statedHeaders: [HTTPField.Name] { stub.response.headers.map(\.name) }
    /// Method and path: `GET /books/{id}`.
    package var title: String { "\(method.rawValue) \(pattern.text)" }

    /// The variable with the user name of a log-in, from a text such as `{{variables.username}}`; nil for other texts.
    package var userVariable: String? {
        guard let text = stub.json["response"]?["logIn"]?.string,
            let start = text.firstRange(of: "variables.")?.upperBound
        else { return nil }
        let name = text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return name.isEmpty ? nil : String(name)
    }

    /// The state for its response, if it isn't the first state; nil for any state or the first.
    package var laterState: String? {
        scenario?.requiredState.flatMap { $0 == ScenarioStates.started ? nil : $0 }
    }

    /// The next state; nil if the state stays.
    package var nextState: String? {
        scenario.flatMap { $0.newState == $0.requiredState ? nil : $0.newState }
    }
}

extension MockProbe {
    /// - Returns: nil for a stub that responds in another way, such as the route of an app.
    init?(_ stub: Stub) {
        // The rows of crud files have one response for unsupported requests.
        guard stub.response.app == nil, stub.data?.crud == nil || !stub.request.methods.isEmpty else { return nil }
        self.stub = stub
        func literal(_ path: some StringProtocol) -> PathPattern {
            PathPattern(PathSegments.ofMock(String(path)).map { .literal($0) })
        }
        switch stub.request.url {
        case .template(let template): pattern = template
        case .path(let path): pattern = literal(path)
        case .url(let url):
            let path = url.prefix { $0 != "?" }
            pattern = literal(path)
            query = NamedValue.decoded(String(url.dropFirst(path.count + 1)))
        case .any, .urlMatching, .pathMatching:
            pattern = PathPattern([])
            obstacle = "its URL is a regular expression"
        }
        if stub.response.fault != nil { obstacle = "it breaks the connection on purpose" }
        if stub.response.forwarding != nil { obstacle = "it sends requests on to another backend" }
        if stub.opensWebSocket { obstacle = "it opens a WebSocket" }
        if stub.data?.conditions.isEmpty == false { obstacle = "it only matches while its data meets whenData" }
        var needsBody = false
        for condition in stub.request.conditions { take(condition, &needsBody) }
        let methods = stub.request.methods
        let isGet = methods.isEmpty || methods.contains(.get)
        method =
            isGet && !needsBody ? .get : methods.first { $0 != .get && $0 != .head } ?? (methods.isEmpty ? .post : .get)
    }

    /// The probe for a request that changes the rows of a crud file.
    fileprivate func changingRows(by method: HTTPRequest.Method) -> MockProbe {
        var probe = self
        probe.method = method
        probe.obstacle = "it changes rows that the mocks keep by themselves"
        return probe
    }

    /// Makes the request meet a condition, if possible.
    private mutating func take(_ condition: RequestPattern.Condition, _ needsBody: inout Bool) {
        switch condition {
        case .values(let part, let name, let pattern):
            for text in pattern.patterns.compactMap(\.sample?.text) { add(name, text, to: part, &needsBody) }
        case .fact(.variable(let name), let pattern):
            // A page requested by GET has no variables.
            var budget = MatchBudget()
            if pattern.matches(.absent, &budget) { return }
            needsBody = true
            if let value = pattern.sample?.value { variables[name] = value }
        case .fact(.body, let pattern):
            needsBody = true
            switch pattern.sample {
            case .json(.object(let object)): for member in object.members { variables[member.key] = member.value }
            case .json(.string(let text)), .text(let text): body = Array(text.utf8)
            case .json(let value): body = value.bytes
            case .bytes(let bytes): body = bytes
            default: break
            }
        case .multipart:
            needsBody = true
            obstacle = obstacle ?? "it matches forms with files"
        case .otherMethod: obstacle = obstacle ?? "it matches methods that no other response is for"
        case .fact: break
        }
    }

    private mutating func add(_ name: String, _ value: String, to part: RequestPattern.Part, _ needsBody: inout Bool) {
        switch part {
        case .header: if let field = HTTPField.Name(name) { headers[field] = value }
        case .cookie:
            let cookie = "\(name)=\(value)"
            headers[.cookie] = headers[.cookie].map { "\($0); \(cookie)" } ?? cookie
        case .query: query.append(NamedValue(name: name, value: value))
        case .pathParameter: parameters[name] = value
        case .form:
            needsBody = true
            form.append(NamedValue(name: name, value: value))
        }
    }
}

extension MockProbe {
    /// The path with the values of its parameters; nil if a value is unknown.
    ///
    /// - Parameter values: the values of parameters without a matcher.
    package func path(_ values: [String: String] = [:]) -> String? {
        var path = ""
        for segment in pattern.segments {
            switch segment {
            case .literal(let text): path += "/" + PercentEncoding.segment(text)
            case .parameter(let name):
                guard let value = parameters[name] ?? values[name] else { return nil }
                path += "/" + PercentEncoding.segment(value)
            default: return nil
            }
        }
        return path.isEmpty ? "/" : path
    }

    /// The values of the parameters in a path; nil for a path of other routes.
    package func values(in path: String) -> [String: String]? {
        let segments = PathSegments.ofMock(String(path.prefix { $0 != "?" && $0 != "#" }))
        guard pattern.matches(segments) else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(pattern.segments, segments) {
            guard let name = segment.name else { continue }
            if let fixed = parameters[name], fixed != text { return nil }
            values[name] = text
        }
        return values
    }
}

extension MockBackend {
    /// The probes for all responses in files, except those of apps, in the order of the files.
    package var probes: [MockProbe] {
        stubs.all.flatMap { stub -> [MockProbe] in
            guard let probe = MockProbe(stub) else { return [] }
            let others = stub.data?.crud == nil ? [] : stub.request.methods.filter { $0 != .get && $0 != .head }
            return [probe] + others.map { probe.changingRows(by: $0) }
        }
        .sorted { $0.source.order < $1.source.order }
    }

    /// The stub that matches a request, without any changes; nil if no stub matches.
    package func probed(by request: Request, body: [UInt8]) -> (id: StubID, source: StubSource)? {
        choose(MockRequest(request, body: body, below: prefix)).map { ($0.stub.id, $0.stub.source) }
    }

    /// The cookie of a session with a log-in to the mocks.
    package func loggedInCookie() async throws -> String {
        let response = try await sessions.exchange(Request(.get, configuration.path)) { request in
            try await request.session.logIn(user: "check")
            return Response()
        }
        return "session=\(response.issued ?? "")"
    }

    /// The file of a method in a folder's app; nil if the app has no such method.
    package func methodFile(_ method: String, in folder: String) -> String? {
        guard let routesFolder else { return nil }
        return configuration.apps.lazy.flatMap { app in
            ["yaml", "yml", "json"].map { "\(folder)/\(method).\(app.kind).\($0)" }
        }
        .first { (try? routesFolder.read($0)) != nil }
    }

    /// The folder of the routes; nil without one.
    package var folderPath: String? { routesFolder?.path }
}

extension StubSource {
    /// The file, by its path below the routes' folder; nil for a stub that was added at run time.
    package var file: String? { if case .file(let file, _) = self { file } else { nil } }

    /// The line of the file; 1 for a stub that was added at run time.
    package var line: Int { if case .file(_, let line) = self { line } else { 1 } }

    /// The order among sources: stubs added at run time come first.
    package var order: (String, Int) { (file ?? "", line) }
}
