import Backlot
public import BacklotHTTP
import HTTPTypes
import Logging

extension MockBackend {
    /// Bodies of more bytes are compared where no event loop waits for it.
    private static let largeBody = 64 * 1024

    /// Answers a request as the stub says that matches it.
    ///
    /// - Returns: nil when no stub does, or the path isn't below what the mocks are mounted at.
    /// - Throws: `RequestError` when the body is too large, late or cut short; `CancellationError`.
    public func answer(to request: Request) async throws -> Response? {
        guard covers(request.path) else { return nil }
        // Before the body is read, or refused: where no stub answers, its size doesn't matter.
        let mayBeTooLarge = request.body.declaredLength.map { $0 > configuration.bodyLimit } ?? true
        if mayBeTooLarge, !mayAnswer(MockRequest(request, body: [], below: prefix)) { return nil }
        let body = try await request.collectSharedBody(upTo: configuration.bodyLimit)
        let mockRequest = MockRequest(request, body: body, below: prefix)
        // Another request may change the scenario's state between the choice and the answer.
        for _ in 0..<64 {
            let choice: StubChoice?
            if body.count > Self.largeBody {
                choice = try await Blocking.run { self.choose(mockRequest) }
            } else {
                choice = choose(mockRequest)
            }
            guard let choice else { return nil }
            if let response = try await answer(request, mockRequest, choice) { return response }
        }
        throw StatusError(.serviceUnavailable, "too many requests change the scenario at once; try again")
    }

    /// Answers a request: without waiting where the stub needs no body, no delay and no session.
    func fallbackAnswer(to request: Request) -> FallbackAnswer {
        guard covers(request.path) else { return .nothing }
        let pending = FallbackAnswer.pending { try await self.answer(to: request) }
        guard request.body.declaredLength == 0 else { return pending }
        let mockRequest = MockRequest(request, body: [], below: prefix)
        guard let choice = choose(mockRequest) else { return .nothing }
        guard choice.entry.isImmediate, advance(choice) else { return pending }
        let response = response(choice.stub, context(mockRequest, choice, user: nil))
        return .ready(observed(response, mockRequest, choice))
    }

    /// - Returns: nil when the stub may not answer any more.
    private func answer(_ request: Request, _ mockRequest: MockRequest, _ choice: StubChoice) async throws -> Response?
    {
        let answer = choice.stub.answer
        var response: Response
        if answer.needsSession {
            guard let made = try await answerInSession(request, mockRequest, choice) else { return nil }
            response = made
        } else {
            guard advance(choice) else { return nil }
            if !request.isCheck { try await wait(answer.delay) }
            if let proxy = answer.proxy {
                response = await forward(mockRequest, to: proxy)
                do throws(TemplateTooLarge) {
                    response.headers.append(contentsOf: try headers(answer, context(mockRequest, choice, user: nil)))
                } catch {
                    response = refusal(choice.stub, error)
                }
            } else {
                response = self.response(choice.stub, context(mockRequest, choice, user: nil))
            }
        }
        if let dribble = answer.dribble, !request.isCheck { response = dribbled(response, dribble) }
        handStates(choice, response)
        return observed(response, mockRequest, choice)
    }

    private func answerInSession(
        _ request: Request,
        _ mockRequest: MockRequest,
        _ choice: StubChoice
    ) async throws -> Response? {
        let answer = choice.stub.answer
        let isOutdated = Locked(false)
        let handler = FunctionHandler { [self] request in
            let session = try await request.session
            if answer.session.requiresLogin { _ = try session.requireLogin(answer.session.text) }
            guard advance(choice) else {
                isOutdated.withLock { $0 = true }
                return Response()
            }
            if !request.isCheck { try await wait(answer.delay) }
            if let logIn = answer.session.logIn {
                let own = context(mockRequest, choice, user: session.user)
                let user: String
                do throws(TemplateTooLarge) {
                    user = try logIn.text(own, limit: configuration.templateLimit)
                } catch {
                    return refusal(choice.stub, error)
                }
                guard !user.isEmpty else {
                    throw UserError("Nobody can log in without a name: what logIn stands for is empty.")
                }
                try session.logIn(user: user)
            }
            if answer.session.logOut { try session.logOut() }
            if let proxy = answer.proxy { return await forward(mockRequest, to: proxy) }
            return response(choice.stub, context(mockRequest, choice, user: session.user))
        }
        do {
            let response = try await sessions.answer(request, next: handler).response()
            return isOutdated.withLock { $0 } ? nil : response
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    private func context(_ request: MockRequest, _ choice: StubChoice, user: String?) -> TemplateContext {
        TemplateContext(request: request, pathParameters: choice.pathParameters, user: user, sources: sources)
    }

    private func wait(_ delay: AnswerDelay) async throws {
        guard delay != .none else { return }
        let milliseconds = sources.draw { delay.milliseconds(using: &$0) }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }

    private func response(_ stub: Stub, _ context: TemplateContext) -> Response {
        let answer = stub.answer
        do throws(TemplateTooLarge) {
            let headers = try headers(answer, context)
            if let fault = answer.fault {
                return Response(status: answer.status, headers: headers, body: .fault(fault))
            }
            let body: ResponseBody =
                switch answer.body {
                case .none: .empty
                case .bytes(let bytes): .bytes(bytes)
                case .template(let template): .bytes(try template.bytes(context, limit: configuration.templateLimit))
                }
            return Response(status: answer.status, headers: headers, body: body)
        } catch {
            return refusal(stub, error)
        }
    }

    /// What is answered instead of what a template would have made.
    private func refusal(_ stub: Stub, _ error: TemplateTooLarge) -> Response {
        let text =
            "\(stub.source): filling in the template for this request takes more than \(error.limit) bytes, which is the limit; "
            + "send shorter lists and texts, or put fewer sections into each other"
        logger.error("\(text)")
        return .text(text, status: .internalServerError)
    }

    private func headers(_ answer: StubAnswer, _ context: TemplateContext) throws(TemplateTooLarge) -> HTTPFields {
        if let constant = answer.constantHeaders { return constant }
        var fields = HTTPFields()
        var left = configuration.templateLimit
        for header in answer.headers {
            let filled = try header.value.text(context, limit: left)
            left -= filled.utf8.count
            // A value of a request may hold what no field can.
            let text = filled.filter { !$0.isNewline && $0 != "\0" }
            if HTTPField.isValidValue(text) { fields.append(HTTPField(name: header.name, value: text)) }
        }
        return fields
    }

    /// When the client gets another session cookie, its scenarios go with it.
    private func handStates(_ choice: StubChoice, _ response: Response) {
        guard choice.stub.answer.needsSession || choice.stub.answer.issuesSession, let id = response.issuedSession
        else { return }
        let new = ScenarioStates.Scope.session(id)
        scenarios.hand(from: choice.scope, to: new)
        if choice.scope == .shared, let scenario = choice.stub.scenario, let state = scenario.newState {
            scenarios.set(scenario.name, to: state, in: new)
        }
    }

    private func observed(_ response: Response, _ request: MockRequest, _ choice: StubChoice) -> Response {
        guard let observer = configuration.observer else { return response }
        observer.answered(
            MockExchange(
                request: request,
                stub: choice.stub,
                response: response,
                scope: choice.scope
            )
        )
        return response
    }
}

extension Response {
    /// The value of the session cookie that the answer sets, whether sessions or the stub's own header fields set it; nil
    /// without such a cookie.
    fileprivate var issuedSession: String? {
        for value in headers[values: .setCookie] where value.hasPrefix("session=") {
            let id = value.dropFirst(8).prefix { $0 != ";" }
            if !id.isEmpty { return String(id) }
        }
        return nil
    }
}
