import Backlot
public import BacklotHTTP
import HTTPTypes
import Logging

extension MockBackend {
    /// Bodies of more bytes are compared where no event loop waits for it.
    private static let largeBody = 64 * 1024
    /// Where stubs have conditions, so are bodies of more bytes than these.
    private static let largeComparedBody = 1024

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
            if body.count > Self.largeBody || body.count > Self.largeComparedBody && stubs.haveConditions {
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
        guard request.body.declaredLength == 0 else { return pending(request) }
        let mockRequest = MockRequest(request, body: [], below: prefix)
        guard let found = choose(mockRequest) else { return .nothing }
        guard found.entry.isImmediate, !hasLargeData(found, mockRequest) else { return pending(request) }
        let choice = inSession(found, of: request)
        guard advance(choice) else { return pending(request) }
        request.isAnswered(by: choice.entry.source)
        var context = context(mockRequest, choice, user: nil)
        if choice.stub.answer.body.isTemplate { context.counts = TemplateCounts() }
        guard let answer = changed(choice, context) ?? quickAnswer(choice.stub, context) else {
            return .pending { [self, context] in
                finished(try await slowAnswer(choice.stub, context), request, choice, context)
            }
        }
        return .ready(finished(answer, request, choice, context))
    }

    /// Gives a client without a session its cookie, sends the stub's webhooks unless the answer is a refusal, and tells the
    /// observer.
    private func finished(
        _ answer: MockAnswer,
        _ request: Request,
        _ choice: StubChoice,
        _ context: TemplateContext
    ) -> Response {
        var answer = answer
        if choice.entry.hasWebhooks, !request.isCheck, !answer.isRefusal { sendWebhooks(of: choice.stub, context) }
        choice.keeping?.cookie?.add(to: &answer.response)
        return observed(answer.response, context.request, choice)
    }

    private func pending(_ request: Request) -> FallbackAnswer {
        .pending { try await self.answer(to: request) }
    }

    /// - Returns: nil when the stub may not answer any more.
    private func answer(_ request: Request, _ mockRequest: MockRequest, _ found: StubChoice) async throws -> Response? {
        let choice = inSession(found, of: request)
        let stub = choice.stub.answer
        request.isAnswered(by: choice.entry.source)
        if let app = stub.app {
            return observed(try await self.answer(request, mockRequest.body, by: app), mockRequest, choice)
        }
        if stub.takesVariables, let error = mockRequest.variablesError {
            return observed(Response(error), mockRequest, choice)
        }
        var answer: MockAnswer
        if stub.needsSession || choice.entry.data?.usesSession == true {
            guard let made = try await answerInSession(request, mockRequest, choice) else { return nil }
            answer = made
        } else {
            guard advance(choice) else { return nil }
            if !request.isCheck { try await wait(stub.delay) }
            if let made = try await changedAnywhere(choice, context(mockRequest, choice, user: nil)) {
                answer = made
            } else {
                answer = await self.answer(mockRequest, choice, user: nil)
            }
        }
        if let dribble = stub.dribble, !request.isCheck { answer.response = dribbled(answer.response, dribble) }
        if let session = answer.session {
            scenarios.hand(from: choice.scope, to: .session(session))
            data.hand(from: choice.scope, to: .session(session))
        } else {
            choice.keeping?.cookie?.add(to: &answer.response)
        }
        if choice.entry.hasWebhooks, !request.isCheck, !answer.isRefusal {
            sendWebhooks(of: choice.stub, context(mockRequest, choice, user: nil))
        }
        return observed(answer.response, mockRequest, choice)
    }

    private func answerInSession(
        _ request: Request,
        _ mockRequest: MockRequest,
        _ choice: StubChoice
    ) async throws -> MockAnswer? {
        let stub = choice.stub.answer
        let progress = Locked((isOutdated: false, isRefusal: false, session: String?.none))
        do {
            let (response, issued) = try await sessions.exchange(request) { [self] request in
                let session = try await request.session
                if stub.session.requiresLogin { _ = try session.requireLogin(stub.session.text) }
                guard advance(choice) else {
                    progress.withLock { $0.isOutdated = true }
                    return Response()
                }
                if !request.isCheck { try await wait(stub.delay) }
                if let refusal = try await changedAnywhere(choice, context(mockRequest, choice, user: session.user)) {
                    progress.withLock { $0.isRefusal = refusal.isRefusal }
                    return refusal.response
                }
                if let logIn = stub.session.logIn {
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
                if stub.session.logOut { try session.logOut() }
                let answer = await answer(mockRequest, choice, user: session.user)
                progress.withLock { $0.session = answer.session }
                return answer.response
            }
            let (isOutdated, isRefusal, session) = progress.withLock { $0 }
            return isOutdated ? nil : MockAnswer(response: response, session: session ?? issued, isRefusal: isRefusal)
        } catch let error as any HTTPError {
            return MockAnswer(response: Response(error))
        }
    }

    private func context(_ request: MockRequest, _ choice: StubChoice, user: String?) -> TemplateContext {
        TemplateContext(
            request: request,
            pathParameters: choice.pathParameters,
            user: user,
            sources: sources,
            data: DataView(buckets: data, scope: choice.scope, isShared: configuration.sharesState),
            parameters: choice.stub.answer.parameters
        )
    }

    private func wait(_ delay: AnswerDelay) async throws {
        guard delay != .none else { return }
        let milliseconds = sources.draw { delay.milliseconds(using: &$0) }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }

    /// What is answered by the stub's data: the rows of a crud file, or why a change can't be made; nil for nothing.
    private func changed(_ choice: StubChoice, _ context: TemplateContext) -> MockAnswer? {
        guard let stub = choice.entry.data else { return nil }
        if let crud = stub.crud {
            let scope = dataScope(choice, context.request)
            let response = crud.answer(context.request, choice.pathParameters, data, scope, prefix: prefix)
            return MockAnswer(response: response)
        }
        guard let refusal = change(choice, context) else { return nil }
        undoAdvance(choice)
        return MockAnswer(response: refusal, isRefusal: true)
    }

    /// The same, where no event loop waits for much data.
    private func changedAnywhere(_ choice: StubChoice, _ context: TemplateContext) async throws -> MockAnswer? {
        guard hasLargeData(choice, context.request) else { return changed(choice, context) }
        return try await Blocking.run { [self] in changed(choice, context) }
    }

    private func answer(_ request: MockRequest, _ choice: StubChoice, user: String?) async -> MockAnswer {
        var context = context(request, choice, user: user)
        if choice.stub.answer.body.isTemplate { context.counts = TemplateCounts() }
        if case .file(let file) = choice.stub.answer.body { return await answer(choice.stub, context, file) }
        guard let forwarding = choice.stub.answer.forwarding else {
            if let answer = quickAnswer(choice.stub, context) { return answer }
            return (try? await slowAnswer(choice.stub, context)) ?? answer(choice.stub, context)
        }
        var response = await forward(request, as: forwarding, context)
        do throws(TemplateTooLarge) {
            let headers = try choice.entry.stub.answer.headers(context, limit: configuration.templateLimit)
            response.headers.append(contentsOf: headers.fields)
            return MockAnswer(response: response, session: headers.session)
        } catch {
            return MockAnswer(response: refusal(choice.stub, error))
        }
    }

    private func answer(_ stub: Stub, _ context: TemplateContext, _ file: AnswerFile) async -> MockAnswer {
        var answer = answer(stub, context)
        let (folder, limit) = (routesFolder, configuration.templateLimit)
        let isJSON = stub.answer.headers.holdJSON
        do {
            let bytes = try await Blocking.run { try file.bytes(context, isJSON: isJSON, in: folder, limit: limit) }
            if case .empty = answer.response.body { answer.response.body = .bytes(bytes) }
            return answer
        } catch let error as TemplateTooLarge {
            return MockAnswer(response: refusal(stub, error))
        } catch {
            let text = "\(stub.source): the body's file: \(error)"
            logger.error("\(text)")
            return MockAnswer(response: .text("\(text)\n", status: .internalServerError))
        }
    }

    /// How much filling in a template may take while an event loop waits.
    private static let quickLimit = 128 * 1024

    /// An answer that soon is made; nil where that would take longer.
    private func quickAnswer(_ stub: Stub, _ context: TemplateContext) -> MockAnswer? {
        guard case .template(let template) = stub.answer.body else { return answer(stub, context) }
        guard !template.isCostly else { return nil }
        let limit = min(Self.quickLimit, configuration.templateLimit)
        do throws(TemplateTooLarge) {
            return try answer(stub, context, limit: limit)
        } catch {
            return limit == configuration.templateLimit ? MockAnswer(response: refusal(stub, error)) : nil
        }
    }

    /// An answer that no event loop has to wait for.
    private func slowAnswer(_ stub: Stub, _ context: TemplateContext) async throws -> MockAnswer {
        context.counts?.rewind()
        return try await Blocking.run { [self] in answer(stub, context) }
    }

    private func answer(_ stub: Stub, _ context: TemplateContext) -> MockAnswer {
        do throws(TemplateTooLarge) {
            return try answer(stub, context, limit: configuration.templateLimit)
        } catch {
            return MockAnswer(response: refusal(stub, error))
        }
    }

    private func answer(_ stub: Stub, _ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> MockAnswer {
        let answer = stub.answer
        let headers = try answer.headers(context, limit: limit)
        let body: ResponseBody =
            if let fault = answer.fault {
                .fault(fault)
            } else {
                switch answer.body {
                case .none, .file: .empty
                case .bytes(let bytes): .bytes(bytes)
                case .template(let template): .bytes(try template.bytes(context, limit: limit))
                }
            }
        let response = Response(status: answer.status, headers: headers.fields, body: body)
        return MockAnswer(response: response, session: headers.session)
    }

    /// What is answered instead of what a template would have made.
    private func refusal(_ stub: Stub, _ error: TemplateTooLarge) -> Response {
        let text =
            "\(stub.source): filling in the template for this request takes more than \(error.limit) bytes, which is the limit; "
            + "send shorter lists and texts, or put fewer sections into each other"
        logger.error("\(text)")
        return .text(text, status: .internalServerError)
    }

    private func observed(_ response: Response, _ request: MockRequest, _ choice: StubChoice) -> Response {
        let response = named(response, choice.stub.source, request)
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

/// A stub's answer.
private struct MockAnswer {
    var response: Response
    /// The value of the session cookie that it sets, whether sessions or the stub's own header fields set it; nil without
    /// such a cookie.
    var session: String?
    /// Whether the stub can't do what it should.
    var isRefusal = false
}
