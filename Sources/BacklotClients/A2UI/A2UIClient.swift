public import A2UI
public import Backlot
internal import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An A2UI app without a device. It behaves like the real clients, and a test uses it the way a person would.
///
/// ```swift
/// let app = try A2UIClient(router, at: "/assistant/")
/// try await app.launch()
/// try await app.enter("Ada", into: "Name")
/// try await app.tap("Book")
/// #expect(app.texts.contains("Thank you, Ada."))
/// ```
/// What the server starts by itself arrives with the response to the client's next action, or by the stream after ``listen()``.
/// An impossible step throws a ``StepError``, messages that break the rules of the A2UI module throw a ``BackendError``, and a rejection
/// by the server throws an ``A2UIClientError``. Like a real client, this one then also reports the errors to the server.
public final class A2UIClient: SteppedClient {
    /// The client's configuration.
    public let configuration: A2UIClientConfiguration
    /// The app's base URL.
    public let url: HTTPURL
    /// The surfaces, and what the user has opened, selected and typed.
    public package(set) var state: A2UIClientState
    /// The messages that the client sent, the latest last.
    public internal(set) var sent: [ClientMessage] = []
    /// The addresses of the surfaces in the app's index.
    public internal(set) var surfaces: [String] = []
    var session: ClientSession
    /// The stream of the server; nil for a client that doesn't listen.
    private var stream: (source: ClientStream, pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator)?

    package init(_ transport: any ClientTransport, _ url: HTTPURL, _ configuration: A2UIClientConfiguration) {
        (self.url, self.configuration) = (url, configuration)
        session = ClientSession(transport, limits: configuration.limits)
        state = A2UIClientState(catalogs: configuration.catalogs)
    }

    /// Creates a client of an app in this process, without a socket.
    ///
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes.
    public convenience init(
        _ router: Router,
        at path: String = "/",
        configuration: A2UIClientConfiguration = A2UIClientConfiguration()
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration)
    }

    /// Creates a client of any backend, by its base URL, such as `http://127.0.0.1:8080/assistant/`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: A2UIClientConfiguration = A2UIClientConfiguration()
    ) throws {
        self.init(transport, try HTTPURL(url), configuration)
    }

    // MARK: The screen

    /// The texts on the screen from top to bottom, without the values of inputs. An open modal covers the others.
    public var texts: [String] {
        state.shown.flatMap { part in
            part.texts + (part.input == nil ? [] : state.failures(of: part).compactMap(\.message))
        }
    }

    /// The data model of a surface; nil without such a surface.
    public func model(of surface: String) -> JSONValue? { state.processor.surfaces[surface]?.model.value }

    /// The value of an input, by its label or its component's id; nil without such an input, and without a value.
    public func value(of input: String) -> JSONValue? {
        let found = state.inputs.first { $0.label == input } ?? state.inputs.first { $0.node.componentID == input }
        return found.flatMap(state.value)
    }

    /// The messages of an input's failing checks, by its label or its component's id.
    public func failures(of input: String) -> [String] {
        let all = state.shown
        let found = all.first { $0.label == input } ?? all.first { $0.node.componentID == input }
        return found.map { state.failures(of: $0).compactMap { $0.message ?? $0.code } } ?? []
    }

    var drawn: String { screen }

    /// The screen as text, with a line for each component.
    public var screen: String {
        guard !state.surfaceIDs.isEmpty else { return "(no surface is open)" }
        let lines = state.shown.map { part in
            let indent = String(repeating: "  ", count: part.depth + 1)
            let label = part.label.isEmpty ? "" : " \(part.label.cut(to: 200).inQuotes)"
            let value = part.input.map { _ in ": \(state.value(of: part) ?? .null)" } ?? ""
            let failures = state.failures(of: part).compactMap(\.message).map { " (\($0))" }.joined()
            return "\(indent)\(part.type) \(part.node.componentID)\(label)\(value.cut(to: 200))\(failures)"
        }
        let cover = state.hasModal ? ", covered by a modal" : ""
        return (["\(state.surfaceIDs.joined(separator: ", "))\(cover)"] + lines).joined(separator: "\n")
    }

    // MARK: Steps

    /// Opens the app: closes all surfaces, and opens the first one of its index. A backend without an index sends its first messages.
    public func launch(file: String = #fileID, line: Int = #line) async throws {
        await stopListening()
        state = A2UIClientState(catalogs: configuration.catalogs)
        let document = try await response(to: ClientRequest(.get, url))
        surfaces = Self.index(document) ?? []
        let call = StepCall("launch()", file, line)
        guard let first = surfaces.first else { return try await take(document, call) }
        try await take(try await response(to: ClientRequest(.get, try url.resolving(first))), call)
    }

    /// Opens a surface by its name, beside those that are open.
    public func open(_ surface: String, file: String = #fileID, line: Int = #line) async throws {
        let request = ClientRequest(.get, try url.resolving("surfaces/\(surface)"))
        let document = try await response(to: request)
        // The new surface takes the place of the former one, also where the server has forgotten that.
        if let former = state.processor.surfaces[surface] {
            _ = state.receive(ServerMessage(former.version, .deleteSurface(surface)).json)
        }
        try await take(document, StepCall("open(\(surface.swiftLiteral))", file, line))
    }

    /// The addresses in an index of surfaces; nil for another document.
    static func index(_ document: JSONValue) -> [String]? {
        guard let list = document["surfaces"]?.array, document["version"] == nil else { return nil }
        return list.prefix(200).compactMap(\.string)
    }

    /// Taps a button, the trigger of a modal, or the title of a tab, by the text on it or the component's id.
    ///
    /// - Parameter number: its number among those with the same text, from 1.
    public func tap(_ text: String, number: Int = 1, file: String = #fileID, line: Int = #line) async throws {
        let call = StepCall(ClientStep.tap(text, number: number == 1 ? nil : number).call, file, line)
        let now = configuration.timestamp()
        let message = try step(call) { state throws(A2UIClientState.RefusedStepError) in
            try state.tap(text, number: number, at: now)
        }
        if let message { try await take(try await send([message]), call) }
    }

    /// Types a text into a text field, a number into a slider, or a date or time in ISO 8601 into their input.
    public func enter(_ text: String, into input: String, file: String = #fileID, line: Int = #line) throws {
        let call = StepCall("enter(\(text.shortLiteral), into: \(input.swiftLiteral))", file, line)
        try step(call) { state throws(A2UIClientState.RefusedStepError) in try state.enter(text, into: input) }
    }

    /// Checks a check box.
    public func check(_ box: String, file: String = #fileID, line: Int = #line) throws {
        let call = StepCall("check(\(box.swiftLiteral))", file, line)
        try step(call) { state throws(A2UIClientState.RefusedStepError) in try state.set(true, box) }
    }

    /// Unchecks a check box.
    public func uncheck(_ box: String, file: String = #fileID, line: Int = #line) throws {
        let call = StepCall("uncheck(\(box.swiftLiteral))", file, line)
        try step(call) { state throws(A2UIClientState.RefusedStepError) in try state.set(false, box) }
    }

    /// Chooses an option, by its label or value. In an input with several choices, it adds the option or takes it away.
    public func choose(_ option: String, from input: String, file: String = #fileID, line: Int = #line) throws {
        let call = StepCall("choose(\(option.swiftLiteral), from: \(input.swiftLiteral))", file, line)
        try step(call) { state throws(A2UIClientState.RefusedStepError) in try state.choose(option, from: input) }
    }

    /// Closes the innermost modal.
    public func back(file: String = #fileID, line: Int = #line) throws {
        try step(StepCall("back()", file, line)) { state throws(A2UIClientState.RefusedStepError) in
            try state.closeModal()
        }
    }

    @discardableResult
    private func step<Result>(
        _ call: StepCall,
        _ change: (inout A2UIClientState) throws(A2UIClientState.RefusedStepError) -> Result
    ) throws -> Result {
        do throws(A2UIClientState.RefusedStepError) {
            return try change(&state)
        } catch {
            throw failure(call, error.text)
        }
    }

    // MARK: The stream

    /// Opens the stream of all messages of the server. Until ``stopListening()``, the responses to actions come by it too, and
    /// ``receive(file:line:)`` waits for them.
    ///
    /// ```swift
    /// let app = try A2UIClient(router, at: "/assistant/")
    /// try await app.launch()
    /// try await app.listen()
    /// try await app.tap("Take")
    /// try await app.receive()
    /// ```
    public func listen() async throws {
        await stopListening()
        var request = ClientRequest(.get, url)
        try identify(&request, accepting: "text/event-stream")
        let opened: ClientStream
        do throws(ClientError) {
            opened = try await session.open(request, now: 0)
        } catch {
            throw A2UIClientError.serverAway("\(error)")
        }
        guard opened.response.status == .ok, opened.response.mediaType == "text/event-stream" else {
            throw A2UIClientError.refused(status: opened.response.status.code, text: "this isn't a stream of events")
        }
        stream = (opened, opened.pieces.makeAsyncIterator())
        state.beginStream()
    }

    /// Ends the stream. The server keeps what the client misses then.
    public func stopListening() async {
        await stream?.source.close()
        stream = nil
    }

    /// Waits until the stream has changed what the client shows. If the server ends the stream, as at a log-in, the client listens again.
    ///
    /// - Throws: `A2UIClientError.serverAway` if the stream breaks, if a new one ends without a byte, or if nothing changes within the limit
    ///   of idle time; the errors of ``listen()``.
    public func receive(file: String = #fileID, line: Int = #line) async throws {
        let (call, limit) = (StepCall("receive()", file, line), configuration.limits.idle)
        guard var (source, pieces) = stream else {
            throw failure(call, "the client doesn't listen: call listen() first")
        }
        let (former, watched) = (state.contents, Locked(source))
        let timeout = ClientError.timedOut("the stream changed nothing within \(limit.milliseconds) ms")
        let end = ContinuousClock.now + limit
        let watch = Task {
            try await Task.sleep(until: end, clock: .continuous)
            watched.withLock(\.self).end(timeout)
        }
        defer { watch.cancel() }
        var (errors, hasEnded): ([A2UIError], Bool) = ([], false)
        repeat {
            do {
                if let piece = try await pieces.next(isolation: #isolation) {
                    hasEnded = false
                    errors += try state.receive(piece, limit: configuration.limits.body)
                    continue
                }
                guard !hasEnded else { throw ClientError.timedOut("the stream has ended") }
                hasEnded = true
                try await listen()
                guard let next = stream else { throw ClientError.cancelled }
                (source, pieces) = next
                watched.withLock { $0 = next.source }
                // The watch may have ended the former stream.
                guard ContinuousClock.now < end else { throw timeout }
            } catch let error as A2UIClientError {
                stream = nil
                throw error
            } catch {
                stream = nil
                throw A2UIClientError.serverAway("\(error)")
            }
        } while errors.isEmpty && (!state.isWhole || state.contents == former)
        stream = (source, pieces)
        try await conclude(errors, call)
    }

    // MARK: Requests

    /// The most rounds of reports to a server that responds to each with another mistake.
    private static let roundLimit = 3

    /// Applies the messages of a server, and sends what the client must report about them.
    private func take(_ document: JSONValue, _ step: StepCall) async throws {
        try await conclude(state.receive(document), step)
    }

    private func conclude(_ errors: [A2UIError], _ step: StepCall) async throws {
        var errors = errors
        for _ in 0..<Self.roundLimit {
            let reports = state.takeOutbox()
            guard !reports.isEmpty else { break }
            errors += state.receive(try await send(reports))
        }
        try judge(
            errors.map { error in
                let path = FindingPath(page: place, pointer: error.path)
                let rule = error.code.replacing("_", with: "-").lowercased()
                let fix = "Correct it: clients report the error and leave the message out."
                return Finding(.error, rule: rule, path: path, message: error.message, fix: fix)
            },
            step
        )
    }

    private func send(_ messages: [ClientMessage]) async throws -> JSONValue {
        var request = ClientRequest(.post, try url.resolving("actions"))
        request.headers[.contentType] = Self.mediaType
        request.body = state.body(of: messages).bytes
        sent += messages
        return try await response(to: request)
    }

    /// Sets the fields that say who the client is, what it knows and what it takes.
    private func identify(_ request: inout ClientRequest, accepting type: String) throws {
        request.headers[.accept] = type
        if let version = configuration.version, request.method == .get {
            try request.headers.set("A2UI-Metadata", to: "\(state.metadata(version, withModels: false))")
        }
        if let id = state.lastEventID { try request.headers.set("Last-Event-ID", to: id) }
    }

    static let mediaType = "application/a2ui+json"

    private func response(to request: ClientRequest) async throws -> JSONValue {
        var request = request
        try identify(&request, accepting: Self.mediaType)
        let response: ClientResponse
        do throws(ClientError) {
            response = try await session.send(request, now: 0).response
        } catch {
            throw A2UIClientError.serverAway("\(error)")
        }
        guard response.status == .ok else {
            throw A2UIClientError.refused(status: response.status.code, text: response.text)
        }
        do throws(JSONParseError) {
            return try A2UIInspector.document(response.body)
        } catch {
            throw A2UIClientError.noMessages("\(error)")
        }
    }
}

/// The configuration of an ``A2UIClient``.
public struct A2UIClientConfiguration: Sendable {
    /// The catalogs that the client has beside the basic ones.
    public var catalogs: [Catalog] = []
    /// The version that the client requests; nil for the server's default.
    public var version: ProtocolVersion?
    /// The time in the client's messages, in ISO 8601.
    public var timestamp: @Sendable () -> String = { Date.now.formatted(.iso8601) }
    /// The limits of size and time for responses.
    public var limits = ClientLimits()

    /// Creates the default configuration.
    public init() {}
}

/// The reason why a client got no messages, or why the server rejected one.
public enum A2UIClientError: Error, Equatable, CustomStringConvertible {
    /// The server can't be reached. The text is the reason.
    case serverAway(String)
    /// The server rejected the request.
    case refused(status: Int, text: String)
    /// The response doesn't hold messages. The text is the reason.
    case noMessages(String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .serverAway(let why): "the server can't be reached: \(why)"
        case .refused(let status, let text): "the response's status is \(status): \(text)"
        case .noMessages(let why): "the response doesn't hold messages: \(why)"
        }
    }
}
