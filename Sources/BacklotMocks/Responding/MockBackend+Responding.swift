public import Backlot
import Logging

extension MockBackend {
    /// Bodies of more bytes are compared where no event loop waits for it.
    private static let largeBody = 64 * 1024
    /// With conditions on stubs, so are bodies of more bytes than these.
    private static let largeComparedBody = 1024
    /// The most work on a template while an event loop waits.
    private static let quickLimit = 128 * 1024

    /// Responds to a request as the stub says that matches it.
    ///
    /// - Returns: nil when no stub does, or the path isn't below what the mocks are mounted at.
    /// - Throws: `RequestError` when the body is too large, late or cut short; `CancellationError`.
    public func response(to request: Request) async throws -> Response? {
        try await respond(to: request).value
    }

    /// Responds to a request: at once where the stub needs no body, no delay and no session.
    func respond(to request: Request) -> Ready<Response?> {
        guard covers(request.path) else { return .ready(nil) }
        guard request.body.declaredLength == 0 else { return .pending { try await self.respondAfterBody(of: request) } }
        let mockRequest = MockRequest(request, body: [], below: prefix)
        guard let choice = choose(mockRequest) else { return .ready(nil) }
        switch respond(StubExchange(request, mockRequest, choice, of: self)) {
        case .ready(let response?): return .ready(response)
        case .ready(nil): return .pending { try await self.respondAfterBody(of: request) }
        case .pending(let work):
            return .pending {
                if let response = try await work() { return response }
                return try await self.respondAfterBody(of: request)
            }
        }
    }

    private func respondAfterBody(of request: Request) async throws -> Response? {
        // Before the body is read, or refused: without a matching stub, its size doesn't matter.
        let mayBeTooLarge = request.body.declaredLength.map { $0 > configuration.bodyLimit } ?? true
        if mayBeTooLarge, !mayRespond(MockRequest(request, body: [], below: prefix)) { return nil }
        let body = try await request.collectSharedBody(upTo: configuration.bodyLimit)
        let mockRequest = MockRequest(request, body: body, below: prefix)
        let isSlow = body.count > Self.largeBody || body.count > Self.largeComparedBody && stubs.haveConditions
        // Another request may change the scenario's state between the choice and the response.
        for _ in 0..<64 {
            let choice = isSlow ? try await Blocking.compute { self.choose(mockRequest) } : choose(mockRequest)
            guard let choice else { return nil }
            if let response = try await respond(StubExchange(request, mockRequest, choice, of: self)).value {
                return response
            }
        }
        throw StatusError(.serviceUnavailable, "too many requests change the scenario at once; try again")
    }

    /// - Returns: nil when the stub may not answer any more.
    private func respond(_ exchange: StubExchange) -> Ready<Response?> {
        // The stub isn't copied: that would cost more than most responses.
        let entry = exchange.entry
        exchange.request.isServed(by: entry.source)
        if entry.stub.response.takesVariables, let error = exchange.context.request.variablesError {
            return .ready(observed(Response(error), exchange))
        }
        guard entry.isImmediate, !hasLargeData(exchange) else {
            return .pending { try await self.respondLater(exchange) }
        }
        guard let moves = advance(exchange) else { return .ready(nil) }
        switch made(exchange, after: moves) {
        case .ready(let response): return .ready(finished(response, exchange))
        case .pending(let work): return .pending { self.finished(try await work(), exchange) }
        }
    }

    private func respondLater(_ exchange: StubExchange) async throws -> Response? {
        guard clocks.haveClients else { return try await respondByClock(exchange) }
        return try await MockClocks.$client.withValue(exchange.scope) { try await respondByClock(exchange) }
    }

    private func respondByClock(_ exchange: StubExchange) async throws -> Response? {
        let entry = exchange.entry
        if let app = entry.stub.response.app {
            let own = AppExchange(self, exchange.request, exchange.context.request, exchange.scope)
            return observed(try await own.response(by: app), exchange)
        }
        if entry.stub.response.needsSession || entry.data?.usesSession == true {
            return try await respondInSession(exchange).map { finished($0, exchange) }
        }
        guard let moves = advance(exchange) else { return nil }
        try await wait(exchange)
        return finished(try await made(exchange, after: moves).value, exchange)
    }

    private func respondInSession(_ exchange: StubExchange) async throws -> MadeResponse? {
        let (rules, text) = (exchange.entry.stub.response.session, configuration.sessionConfiguration.logInText)
        let progress = Locked(MadeResponse?.none)
        do {
            if let client = clientByField(exchange) {
                let user = scenarios.user(of: exchange.scope)
                if let refusal = rules.refusal(of: user, text) {
                    return MadeResponse(response: refusal, isRefusal: true)
                }
                return try await made(exchange, for: user) { self.scenarios.set(user: $0, of: client) }
            }
            let (response, issued) = try await sessions.exchange(exchange.request) { [self] request in
                let session = try await request.session
                if let refusal = rules.refusal(of: session.user, text) {
                    progress.withLock { $0 = MadeResponse(response: refusal, isRefusal: true) }
                    return refusal
                }
                let made = try await made(exchange, for: session.user) { user in
                    if let user { try session.logIn(user: user) } else { try session.logOut() }
                }
                progress.withLock { $0 = made }
                return made?.response ?? Response()
            }
            guard var made = progress.withLock({ $0 }) else { return nil }
            made.response = response
            made.session = made.session ?? issued
            return made
        } catch let error as any HTTPError {
            return MadeResponse(response: Response(error), isRefusal: true)
        }
    }

    /// The client that a header field identifies for a log-in, in place of a cookie.
    private func clientByField(_ exchange: StubExchange) -> ScenarioStates.Scope? {
        let stub = exchange.entry.stub
        guard !configuration.sharesState, case .field(let name) = stateKey(of: stub.source) else { return nil }
        if exchange.request.headers[name]?.isEmpty == false { return exchange.scope }
        guard stub.response.session.logIn != nil, let moves = stub.moves else { return nil }
        let client = moves.scope(.shared, exchange.context, .field(name))
        return client == .shared ? nil : client
    }

    /// A response for a user, or for nobody.
    ///
    /// - Parameter logIn: logs a user in, or nil out.
    /// - Returns: nil when the stub may not answer any more.
    private func made(
        _ exchange: StubExchange,
        for user: String?,
        logIn: @Sendable (String?) throws -> Void
    ) async throws -> MadeResponse? {
        guard let moves = advance(exchange) else { return nil }
        try await wait(exchange)
        var own = exchange
        own.context.user = user
        switch try await changed(own, after: moves).value {
        case .response(let made): return made
        case .done(user: let name?):
            try logIn(name)
            own.context.user = name
        case .done(user: nil): break
        }
        if exchange.entry.stub.response.session.logsOut {
            try logIn(nil)
            own.context.user = nil
        }
        return try await filled(own).value
    }

    /// Puts the stub's scenario into its new state, and moves the others.
    ///
    /// - Returns: the moves; nil when another request has changed the state meanwhile, so that the stub may not answer any
    ///   more.
    private func advance(_ exchange: StubExchange) -> [ScenarioStates.Move]? {
        advance(exchange.entry, exchange.scope, exchange.context)
    }

    func advance(
        _ entry: StubEntry,
        _ scope: ScenarioStates.Scope,
        _ context: TemplateContext
    ) -> [ScenarioStates.Move]? {
        var moved: [ScenarioStates.Move] = []
        if let scenario = entry.stub.scenario, let newState = scenario.newState {
            guard
                let move = scenarios.advance(scenario.name, from: scenario.requiredState, to: newState, in: scope)
            else { return nil }
            moved.append(move)
        }
        if let line = entry.stub.log { logger.notice("\(entry.stub.source): \(line)") }
        guard let moves = entry.stub.moves else { return moved }
        let key = configuration.sharesState ? .cookie : stateKey(of: entry.stub.source)
        let (made, kept) = scenarios.move(moves, in: moves.scope(scope, context, key))
        if !kept.isEmpty {
            logger.notice(
                "\(context.request.title) changes nothing in \(kept.joined(separator: ", ")): nothing was recorded there, so the latest earlier responses stay"
            )
        }
        return moved + made
    }

    private func wait(_ exchange: StubExchange) async throws {
        let delay = exchange.entry.stub.response.delay
        guard delay != .none, !exchange.request.isCheck else { return }
        try await Task.sleep(for: .milliseconds(sources.draw { delay.milliseconds(using: &$0) }))
    }

    // MARK: Making responses

    private func made(_ exchange: StubExchange, after moves: [ScenarioStates.Move]) -> Ready<MadeResponse> {
        switch changed(exchange, after: moves) {
        case .ready(.response(let made)): .ready(made)
        case .ready(.done): filled(exchange)
        case .pending(let work):
            .pending {
                switch try await work() {
                case .response(let made): made
                case .done: try await self.filled(exchange).value
                }
            }
        }
    }

    /// Makes the stub's changes. No event loop waits for much data.
    private func changed(_ exchange: StubExchange, after moves: [ScenarioStates.Move]) -> Ready<Changed> {
        guard exchange.entry.data != nil || exchange.entry.stub.response.session.logIn != nil else {
            return .ready(.done(user: nil))
        }
        let work = { @Sendable [self] () -> Changed in
            let context = exchange.context
            if let crud = exchange.entry.data?.crud {
                let request = CrudRequest(
                    route: crud,
                    context: context,
                    limit: configuration.templateLimit,
                    data: self.data,
                    scope: exchange.scope,
                    prefix: prefix
                )
                let response = request.response()
                return .response(MadeResponse(response: response, isRefusal: response.status.code >= 400))
            }
            switch change(exchange.entry, exchange.scope, context, after: moves) {
            case .success(let user): return .done(user: user)
            case .failure(let error):
                return .response(MadeResponse(response: .text(error.text, status: error.status), isRefusal: true))
            }
        }
        return hasLargeData(exchange) ? .pending { try await Blocking.compute(work) } : .ready(work())
    }

    private func hasLargeData(_ exchange: StubExchange) -> Bool {
        exchange.entry.data.map { hasLargeData($0, exchange.scope, exchange.context.request) } ?? false
    }

    /// The stub's response, with its templates filled in.
    private func filled(_ exchange: StubExchange) -> Ready<MadeResponse> {
        let (entry, limit) = (exchange.entry, configuration.templateLimit)
        var context = exchange.context
        if entry.stub.response.body.isFile || entry.stub.response.forwarding != nil {
            let request = exchange.request
            return refusing(entry) { [self, context] in try await fetched(entry, context, request, limit: limit) }
        }
        if entry.stub.response.body.template != nil || entry.constantHeaders == nil {
            context.counts = TemplateCounts()
        }
        if entry.stub.response.body.template?.isCostly != true,
            let made = try? response(entry, context, limit: min(Self.quickLimit, limit))
        {
            return .ready(made)
        }
        return refusing(entry) { [self, context] in
            context.counts?.rewind()
            return try await Blocking.compute { try self.response(entry, context, limit: limit) }
        }
    }

    /// A response with what another backend sends, or a file holds.
    private func fetched(
        _ entry: StubEntry,
        _ context: TemplateContext,
        _ request: Request,
        limit: Int
    ) async throws -> MadeResponse {
        let stubResponse = entry.stub.response
        if let forwarding = stubResponse.forwarding {
            var response = await forward(context.request, of: request, as: forwarding, context)
            let headers = try entry.headers(context, limit: limit)
            response.headers.append(contentsOf: headers)
            return MadeResponse(response: response, session: headers.newSession)
        }
        var made = try response(entry, context, limit: limit)
        if case .file(let file) = stubResponse.body, case .empty = made.response.body {
            let (folder, isJSON) = (routesFolder, stubResponse.headers.holdJSON)
            made.response.body = .bytes(
                try await Blocking.run { try file.bytes(context, isJSON: isJSON, in: folder, limit: limit) }
            )
        }
        return made
    }

    /// A response that takes work, or why it can't be made.
    private func refusing(
        _ entry: StubEntry,
        _ work: @escaping @Sendable () async throws -> MadeResponse
    ) -> Ready<MadeResponse> {
        .pending {
            do {
                return try await work()
            } catch is TemplateTooLarge {
                return self.tooLarge(entry)
            } catch let error as CancellationError {
                throw error
            } catch {
                return self.failure("\(entry.stub.source): the body's file: \(error)", ending: "\n")
            }
        }
    }

    private func response(
        _ entry: StubEntry,
        _ context: TemplateContext,
        limit: Int
    ) throws(TemplateTooLarge) -> MadeResponse {
        let headers = try entry.headers(context, limit: limit)
        let body: ResponseBody =
            if let fault = entry.stub.response.fault {
                .fault(fault)
            } else {
                switch entry.stub.response.body {
                case .none, .file: .empty
                case .bytes(let bytes): .bytes(bytes)
                case .template(let template): .bytes(try template.bytes(context, limit: limit))
                }
            }
        let response = Response(status: entry.stub.response.status, headers: headers, body: body)
        return MadeResponse(response: response, session: entry.issuesSession ? headers.newSession : nil)
    }

    /// The response in place of one that a template could not make.
    private func tooLarge(_ entry: StubEntry) -> MadeResponse {
        failure(
            "\(entry.stub.source): filling in the template for this request takes more than \(configuration.templateLimit) bytes, which is the limit; "
                + "send shorter lists and texts, or put fewer sections into each other"
        )
    }

    private func failure(_ text: String, ending: String = "") -> MadeResponse {
        logger.error("\(text)")
        return MadeResponse(response: .text(text + ending, status: .internalServerError))
    }

    // MARK: Sending responses

    /// Hands the client's state to its new session, or gives a client without one its cookie, sends the stub's webhooks unless
    /// the response is a refusal, and tells the observer.
    private func finished(_ made: MadeResponse, _ exchange: StubExchange) -> Response {
        var response = made.response
        if let dribble = exchange.entry.stub.response.dribble, !exchange.request.isCheck {
            response = dribbled(response, dribble)
        }
        if let stream = exchange.entry.stub.response.stream, !exchange.request.isCheck,
            response.status.kind == .successful
        {
            let run = StreamRun(
                stream,
                exchange.context,
                limit: configuration.templateLimit,
                "\(exchange.entry.stub.source)",
                logger
            )
            response = run.response(to: exchange.request, response.headers)
        }
        if let session = made.session {
            scenarios.hand(from: exchange.scope, to: .session(session))
            data.hand(from: exchange.scope, to: .session(session))
            clocks.hand(from: exchange.scope, to: .session(session))
        } else if !made.isRefusal {
            exchange.cookie?.add(to: &response)
            if exchange.cookie != nil { lostCookieLog.gotCookie(exchange.context.request) }
        }
        if exchange.entry.hasWebhooks, !exchange.request.isCheck, !made.isRefusal {
            sendWebhooks(of: exchange.entry.stub, exchange.context)
        }
        return observed(response, exchange)
    }

    private func observed(_ response: Response, _ exchange: StubExchange) -> Response {
        let request = exchange.context.request
        let response = named(response, exchange.entry.stub.source, request)
        guard let observer = configuration.observer else { return response }
        let stub = exchange.entry.stub
        observer.responded(MockExchange(request: request, stub: stub, response: response, scope: exchange.scope))
        return response
    }
}

/// A request, and the stub that responds to it. Its changes are kept in a session of the client: a new one for a client without.
private struct StubExchange: Sendable {
    let request: Request
    let entry: StubEntry
    /// The clients with the states and data of the exchange.
    private(set) var scope: ScenarioStates.Scope
    /// The values for templates, among them the request with its body.
    var context: TemplateContext
    /// The cookie of a new session, for a client without one; or nil.
    private(set) var cookie: AnonymousCookie?

    init(_ request: Request, _ mockRequest: MockRequest, _ found: StubChoice, of backend: MockBackend) {
        self.request = request
        (entry, scope) = (found.entry, found.scope)
        if let new = backend.newSession(for: request, mockRequest, entry, in: scope) {
            (scope, cookie) = (new.scope, new.cookie)
        }
        context = TemplateContext(
            request: mockRequest,
            pathParameters: found.pathParameters,
            user: nil,
            sources: backend.sources,
            data: DataView(buckets: backend.data, scope: scope),
            parameters: found.entry.stub.response.parameters
        )
    }
}

/// The result of a stub's changes.
private enum Changed: Sendable {
    /// The response in place of the stub's: the rows of a crud file, or the reason against a change.
    case response(MadeResponse)
    /// All are made; with the name of the user whom the stub logs in, or nil for nobody.
    case done(user: String?)
}

/// A stub's response, before it is sent.
private struct MadeResponse: Sendable {
    var response: Response
    /// The value of the session cookie that it sets, whether sessions or the stub's own header fields set it; nil without
    /// such a cookie.
    var session: String?
    /// Whether the stub can't do what it should.
    var isRefusal = false
}
