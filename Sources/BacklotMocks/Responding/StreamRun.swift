import Backlot
import Logging

/// Runs the steps of a script for one client.
struct StreamRun: Sendable {
    private let script: StreamScript
    private let context: TemplateContext
    private let limit: Int
    private let source: String
    private let logger: Logger

    /// - Parameters:
    ///   - context: what templates are filled in with.
    ///   - limit: the most bytes that filling in a template may take.
    ///   - source: the file, for messages.
    init(_ script: StreamScript, _ context: TemplateContext, limit: Int, _ source: String, _ logger: Logger) {
        (self.script, self.context, self.limit, self.source, self.logger) = (script, context, limit, source, logger)
    }

    /// The response that runs the steps: 200 with events, or 101; 426 for a request that opens no WebSocket.
    func response(to request: Request, _ headers: HTTPFields) -> Response {
        var response: Response
        switch script.form {
        case .events:
            let lastEventID = request.lastEventID
            response = .events { events in
                var start = StreamPosition(script)
                // No event loop searches for the client's last event.
                if let id = lastEventID { start = try await Blocking.compute { place(after: id) } }
                try await send(from: start, to: events)
            }
        case .webSocket:
            var options = WebSocketOptions()
            options.origins = nil
            options.subprotocols = (headers[.secWebSocketProtocol] ?? "").split(separator: ",").map {
                String($0.trimmed)
            }
            do {
                response = try .webSocket(request, options: options, talk)
            } catch let error as any HTTPError {
                return Response(error)
            } catch {
                return .text("\(error)", status: .internalServerError)
            }
        }
        for field in headers where !response.headers.contains(field.name) && field.name != .secWebSocketProtocol {
            response.headers.append(contentsOf: HTTPFields([field]))
        }
        return response
    }

    private func context(_ round: Int, _ message: WebSocketMessage? = nil) -> TemplateContext {
        var context = context
        (context.round, context.message, context.counts) = (round, message, TemplateCounts())
        return context
    }

    private func bytes(_ body: StubBody, _ context: TemplateContext) throws -> [UInt8] {
        switch body {
        case .none, .file: []
        case .bytes(let bytes): bytes
        case .template(let template): try template.bytes(context, limit: limit)
        }
    }

    private func wait(_ step: StreamScript.Step) async throws {
        if step.delay > 0 { try await Task.sleep(for: .milliseconds(step.delay)) }
    }

    // MARK: Events

    /// The place after the client's last event; the beginning if the script has no such event.
    private func place(after lastEventID: String) -> StreamPosition {
        let beginning = StreamPosition(script)
        var position = beginning
        // Each id takes little work, as there may be many.
        let limit = min(limit, 4096 + lastEventID.utf8.count)
        for _ in 0..<StreamScript.resumeLimit {
            guard let (step, round) = position.next() else { break }
            if let id = step.id, (try? id.text(context(round), limit: limit)) == lastEventID { return position }
        }
        return beginning
    }

    private func send(from start: StreamPosition, to events: EventWriter) async throws {
        var position = start
        while let (step, round) = position.next() {
            try await wait(step)
            switch step.action {
            case .send(let body, let form):
                let context = context(round)
                let event = ServerSentEvent(
                    String(decoding: try bytes(body, context), as: UTF8.self),
                    type: try step.event?.text(context, limit: limit),
                    id: try step.id?.text(context, limit: limit),
                    retry: step.retry.map { .milliseconds($0) }
                )
                try await form == .beginning ? events.sendBeginning(of: event) : events.send(event)
            case .stall(let milliseconds): try await events.stall(for: .milliseconds(milliseconds))
            case .fault(let fault): throw BrokenStream(fault)
            case .expect, .close, .loop, .wait: break
            }
        }
    }

    // MARK: A WebSocket

    private func talk(_ socket: WebSocket) async throws {
        var position = StreamPosition(script)
        var message: WebSocketMessage?
        while let (step, round) = position.next() {
            try await wait(step)
            switch step.action {
            case .send(let body, let form):
                let bytes = try bytes(body, context(round, message))
                try await socket.send(form == .binary ? .binary(bytes) : .text(String(decoding: bytes, as: UTF8.self)))
            case .expect(let pattern, let milliseconds):
                guard let next = try await receive(from: socket, within: milliseconds) else { return }
                message = next
                guard let problem = mismatch(next, pattern) else { continue }
                logger.notice("\(source): \(problem)")
                return await socket.close(.policyViolation, reason: problem)
            case .close(let close): return await socket.close(close.code, reason: close.reason)
            case .stall(let milliseconds): try await socket.stall(for: .milliseconds(milliseconds))
            case .fault(let fault): return socket.cut(fault)
            case .loop, .wait: break
            }
        }
    }

    /// The client's next message; nil when the WebSocket has ended.
    private func receive(from socket: WebSocket, within milliseconds: Int?) async throws -> WebSocketMessage? {
        guard let milliseconds else { return try await socket.messages.next() }
        return try await withThrowingTaskGroup(of: WebSocketMessage?.self) { group in
            group.addTask { try await socket.messages.next() }
            group.addTask {
                try await Task.sleep(for: .milliseconds(milliseconds))
                let problem = "no message came within \(milliseconds) ms"
                logger.notice("\(source): \(problem)")
                await socket.close(.policyViolation, reason: problem)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// The problem of a message; nil for one that fits.
    private func mismatch(_ message: WebSocketMessage, _ pattern: ContentPattern?) -> String? {
        guard let pattern else { return nil }
        var budget = MatchBudget(bytes: message.bytes.count)
        let subject = message.text.map(Subject.text) ?? .bytes(message.bytes)
        return pattern.matches(subject, &budget) ? nil : "expected \(pattern), got \((message.text ?? "bytes").shown)"
    }
}
