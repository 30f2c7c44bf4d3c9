import Backlot
public import BacklotMocks
import Logging
import Synchronization

/// The recordings of a backend of mocks, one at a time. During a recording, another backend responds instead of the mocks.
final class Recordings: MockRecorder {
    /// Makes a Swift test from requests without secrets, and from the pseudonyms that replace the secrets.
    typealias TestSource = @Sendable ([RecordedExchange], Set<String>) async -> String

    private struct State {
        var current: ForwardingFallback.Target?
        /// The last recording, even after its end, and its order.
        var last: (recording: Recording, order: RecordingOrder)?
        /// The backend that responds between recordings; nil for the mocks.
        var standing: Origin?
        /// The settings that all recordings share.
        var settings = Recording.Settings()

        var isRecording: Bool { current?.recording != nil }
    }

    private let state = Locked(State())
    private let isProxying = Atomic(false)
    /// The responses of other backends to requests that stubs forwarded.
    let forwarded = Recorder(nil, bounds: .ofForwarded)
    /// Makes a Swift test from requests and their pseudonyms; nil without Swift tests.
    private let testSource: TestSource?

    init(_ testSource: TestSource?) {
        self.testSource = testSource
    }

    func fallback(for backend: MockBackend) -> any Fallback {
        ForwardingFallback(backend: backend, isBehindMocks: false) { [self] in
            isProxying.load(ordering: .relaxed) ? state.withLock { $0.current } : nil
        }
    }

    func note(_ exchange: ProxiedExchange) { forwarded.note(exchange) }

    func swiftTest(of entries: [JournalEntry]) async -> Response? {
        guard let testSource else { return nil }
        let start = entries.first?.time ?? 0
        let complete = entries.filter { if case .fault = $0.response.body { false } else { true } }
        var redaction = Redaction()
        var exchanges = redaction.redacted(complete.map { RecordedExchange(whole: $0, since: start) })
        // The credentials show the redaction what to replace elsewhere. In a test, they only tell clients apart.
        for index in exchanges.indices {
            exchanges[index].client = exchanges[index].requestHeaders[.authorization]
            exchanges[index].requestHeaders[.authorization] = nil
        }
        let text = await testSource(exchanges, redaction.pseudonyms)
        return Response(headers: [.contentType: "text/x-swift; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// The status for commands.
    var status: String {
        state.withLock { $0.isRecording ? "Recording" : $0.last == nil ? "NeverStarted" : "Stopped" }
    }

    /// The last recording and its order; nil before the first.
    var last: (recording: Recording, order: RecordingOrder)? { state.withLock { $0.last } }

    /// The recording in progress; nil without one.
    var current: Recording? { state.withLock { $0.current?.recording } }

    /// The backend that responds between recordings; nil for the mocks.
    var standing: Origin? { state.withLock { $0.standing } }

    /// Sets the settings that all recordings share, and the backend that responds between recordings.
    func set(_ settings: Recording.Settings, standing: Origin?) {
        state.withLock { ($0.settings, $0.standing) = (settings, standing) }
    }

    /// Makes the recording for an order.
    func recording(_ order: RecordingOrder, from origin: Origin?, of backend: MockBackend) -> Recording {
        var settings = state.withLock { $0.settings }
        settings.folder = order.isPersistent ? settings.folder ?? backend.routesFolder?.path : nil
        settings.filter = order.filter
        settings.options.captures = order.captures
        return Recording(Recorder(origin), settings, of: backend)
    }

    /// Begins a recording. A recording in progress continues.
    func start(_ order: RecordingOrder, from origin: Origin, of backend: MockBackend) {
        begin((recording(order, from: origin, of: backend), order), of: backend)
    }

    /// Continues a recording after an error in the writing of its files.
    func resume(of backend: MockBackend) {
        if let last { begin(last, of: backend) }
    }

    private func begin(_ next: (recording: Recording, order: RecordingOrder), of backend: MockBackend) {
        guard let origin = next.recording.recorder.origin else { return }
        state.withLock { state in
            guard !state.isRecording else { return }
            state.last = next
            state.current = ForwardingFallback.Target(backend, origin, "recorded from", next.recording)
            isProxying.store(true, ordering: .relaxed)
        }
    }

    /// Ends a recording.
    ///
    /// - Returns: the recording; nil if the backend isn't being recorded.
    func stop(of backend: MockBackend) -> Recording? {
        state.withLock { state in
            guard let recording = state.current?.recording else { return nil }
            state.current = state.standing.map { ForwardingFallback.Target(backend, $0, "answered by", nil) }
            isProxying.store(state.current != nil, ordering: .relaxed)
            return recording
        }
    }
}

/// Lets another backend respond in place of the mocks, or to requests that no mock matches.
private struct ForwardingFallback: Fallback {
    /// The target of requests.
    struct Target: Sendable {
        let proxy: ReverseProxy
        let source: ResponseSource
        /// The recording; nil without one.
        let recording: Recording?

        init(_ backend: MockBackend, _ origin: Origin, _ verb: String, _ recording: Recording?) {
            proxy = ReverseProxy(
                origin: origin,
                connector: backend.connector,
                observedBodyLimit: Recorder.Bounds().body,
                name: backend.proxyName
            )
            source = ResponseSource(mock: "\(verb) \(origin)")
            self.recording = recording
        }
    }

    let backend: MockBackend
    /// Whether the mocks may have read a request's body, to match it.
    let isBehindMocks: Bool
    let target: @Sendable () -> Target?

    func respond(to request: Request) throws -> Ready<Response?> {
        guard let target = target(), backend.covers(request.path) else { return .ready(nil) }
        request.isServed(by: target.source)
        return .pending {
            var call: ProxyRequest
            if isBehindMocks || !backend.prefix.isEmpty {
                let body = try await request.collectSharedBody(upTo: backend.configuration.bodyLimit)
                call = MockRequest(request, body: body, below: backend.prefix).goingOn()
                call.passWebSocket(of: request)
            } else {
                call = ProxyRequest(request)
            }
            let own = backend.withoutOwnSecrets(call)
            return await target.proxy.respond(to: own, observe: target.recording?.observer())
        }
    }
}

extension MockConfiguration {
    /// Allows commands to record other backends, and to show the journal as a HAR file.
    public mutating func allowRecording() { recorder = { Recordings(nil) } }

    /// Allows recording, with a function that makes a Swift test from requests without secrets and from their pseudonyms.
    package mutating func allowRecording(
        testSource: @escaping @Sendable ([RecordedExchange], Set<String>) async -> String
    ) {
        recorder = { Recordings(testSource) }
    }
}

extension MockBackend {
    /// The backend's recordings.
    var recordings: Recordings {
        guard let recordings = recorder as? Recordings else {
            preconditionFailure("call allowRecording() on the configuration of mocks that are recorded")
        }
        return recordings
    }

    /// Lets another backend respond to all requests, and begins recording it.
    ///
    /// - Returns: the recording; nil if the text isn't a usable URL.
    package func record(_ url: String, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        recordings.set(settings, standing: origin)
        recordings.start(RecordingOrder(), from: origin, of: self)
        return recordings.last?.recording
    }

    /// Ends the recording in progress.
    ///
    /// - Returns: the recording; nil if a command has already ended it.
    package func stopRecording() -> Recording? { recordings.stop(of: self) }

    /// Checks whether another backend responds; returns the problem, or nil without one.
    package func problem(of url: String) async -> String? {
        guard let origin = Origin(url) else { return nil }
        let request = OutgoingRequest(
            method: .head,
            target: "\(origin.basePath)/",
            authority: origin.authority,
            headers: [:],
            body: [],
            waitsForContinue: false
        )
        let bounds = ClientBounds(head: 65_536, body: 65_536, idle: .seconds(5), total: .seconds(10))
        do throws(ClientConnectionError) {
            _ = try await ClientLoop.exchange(
                request,
                host: origin.host,
                port: origin.port,
                over: origin.isSecure ? connector : nil,
                bounds: bounds
            )
            return nil
        } catch {
            switch error {
            case .unknownHost, .notConnected, .unreachable, .notSecured, .timedOut:
                return "\(origin) doesn't respond yet: \(error)"
            default: return nil
            }
        }
    }
}

extension Router {
    /// Lets another backend respond to requests that neither the mocks nor earlier fallbacks match. Its responses are written
    /// into the mocks' folder, which serves them from then on. Call it after all fallbacks except `explainMismatches`.
    ///
    /// - Parameter settings: the folder, and the options for making files.
    /// - Returns: the recording, which must be written once more at the end; nil if the text isn't a usable URL.
    package func capture(_ url: String, for backend: MockBackend, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        let recording = Recording(Recorder(origin), settings, of: backend)
        let target = ForwardingFallback.Target(backend, origin, "captured from", recording)
        add(ForwardingFallback(backend: backend, isBehindMocks: true) { target })
        return recording
    }
}
