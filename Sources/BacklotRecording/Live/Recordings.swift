import Backlot
public import BacklotMocks
import Logging
import Synchronization

/// The recordings of a backend of mocks, one at a time: while one is on, another backend answers instead, and is recorded.
final class Recordings: MockRecorder {
    /// Makes a Swift test of requests, without secrets, and what stands for those.
    typealias TestSource = @Sendable ([RecordedExchange], Set<String>) async -> String

    private struct State {
        var current: ForwardingFallback.Target?
        /// The last recording, also after its end, and what was ordered for it.
        var last: (recording: Recording, order: RecordingOrder)?
        /// The backend that answers when nothing is recorded; nil for the mocks.
        var standing: Origin?
        /// What all recordings have in common.
        var settings = Recording.Settings()

        var isRecording: Bool { current?.recording != nil }
    }

    private let state = Locked(State())
    private let isProxying = Atomic(false)
    /// What other backends have answered because a stub has sent requests on.
    let forwarded = Recorder(nil, bounds: .ofForwarded)
    /// Makes a Swift test of requests and what stands for their secrets; nil for none.
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
        var redaction = Redaction()
        let exchanges = redaction.redacted(entries.compactMap { RecordedExchange($0, since: start) })
        let text = await testSource(exchanges, redaction.pseudonyms)
        return Response(headers: [.contentType: "text/x-swift; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// What commands say about it.
    var status: String {
        state.withLock { $0.isRecording ? "Recording" : $0.last == nil ? "NeverStarted" : "Stopped" }
    }

    /// The last recording and what was ordered for it; nil before the first.
    var last: (recording: Recording, order: RecordingOrder)? { state.withLock { $0.last } }

    /// The backend that answers while nothing is recorded; nil for the mocks.
    var standing: Origin? { state.withLock { $0.standing } }

    /// Sets what all recordings have in common, and lets another backend answer also while nothing is recorded.
    func set(_ settings: Recording.Settings, standing: Origin?) {
        state.withLock { ($0.settings, $0.standing) = (settings, standing) }
    }

    /// A recording that is ordered.
    func recording(_ order: RecordingOrder, from origin: Origin?, of backend: MockBackend) -> Recording {
        var settings = state.withLock { $0.settings }
        settings.folder = order.isPersistent ? settings.folder ?? backend.routesFolder?.path : nil
        settings.filter = order.filter
        settings.options.captures = order.captures
        return Recording(Recorder(origin), settings, of: backend)
    }

    /// Begins a recording. Where one is on, that goes on.
    func start(_ order: RecordingOrder, from origin: Origin, of backend: MockBackend) {
        begin((recording(order, from: origin, of: backend), order), of: backend)
    }

    /// Takes up a recording whose files could not be written.
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
    /// - Returns: the recording; nil when none is on.
    func stop(of backend: MockBackend) -> Recording? {
        state.withLock { state in
            guard let recording = state.current?.recording else { return nil }
            state.current = state.standing.map { ForwardingFallback.Target(backend, $0, "answered by", nil) }
            isProxying.store(state.current != nil, ordering: .relaxed)
            return recording
        }
    }
}

/// Lets another backend answer in place of the mocks, or what no mock does.
private struct ForwardingFallback: Fallback {
    /// Where requests go.
    struct Target: Sendable {
        let proxy: ReverseProxy
        let source: ResponseSource
        /// nil where nothing is recorded.
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
    /// Whether the mocks may have read a request's body, to compare it.
    let isBehindMocks: Bool
    let target: @Sendable () -> Target?

    func respond(to request: Request) throws -> Ready<Response?> {
        guard let target = target(), backend.covers(request.path) else { return .ready(nil) }
        request.isServed(by: target.source)
        return .pending {
            let call: ProxyRequest
            if isBehindMocks || !backend.prefix.isEmpty {
                let body = try await request.collectSharedBody(upTo: backend.configuration.bodyLimit)
                call = MockRequest(request, body: body, below: backend.prefix).goingOn()
            } else {
                call = ProxyRequest(request)
            }
            let own = backend.withoutOwnSecrets(call)
            return await target.proxy.respond(to: own, observe: target.recording?.observer())
        }
    }
}

extension MockConfiguration {
    /// Lets commands record other backends, and show the journal as a HAR file.
    public mutating func allowRecording() { recorder = { Recordings(nil) } }

    /// The same, with a way to make a Swift test of requests without secrets, and what stands for those.
    package mutating func allowRecording(
        testSource: @escaping @Sendable ([RecordedExchange], Set<String>) async -> String
    ) {
        recorder = { Recordings(testSource) }
    }
}

extension MockBackend {
    /// Its recordings.
    var recordings: Recordings {
        guard let recordings = recorder as? Recordings else {
            preconditionFailure("call allowRecording() on the configuration of mocks that are recorded")
        }
        return recordings
    }

    /// Lets another backend answer everything, and records it from now on.
    ///
    /// - Returns: nil where the text is no URL that can be asked.
    package func record(_ url: String, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        recordings.set(settings, standing: origin)
        recordings.start(RecordingOrder(), from: origin, of: self)
        return recordings.last?.recording
    }

    /// Ends the recording that is on.
    ///
    /// - Returns: the recording; nil when a command has ended it already.
    package func stopRecording() -> Recording? { recordings.stop(of: self) }

    /// Whether another backend can be asked; nil when it can, otherwise what is wrong with it.
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
                return "\(origin) does not answer yet: \(error)"
            default: return nil
            }
        }
    }
}

extension Router {
    /// Lets another backend answer what neither the mocks nor the fallbacks before have answered, and writes its answers into the
    /// mocks' folder, where they are served from then on. Call it after all fallbacks but `explainMismatches`.
    ///
    /// - Parameter settings: the folder, and how files are made.
    /// - Returns: what is captured, to be written once more at the end; nil where the text is no URL that can be asked.
    package func capture(_ url: String, for backend: MockBackend, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        let recording = Recording(Recorder(origin), settings, of: backend)
        let target = ForwardingFallback.Target(backend, origin, "captured from", recording)
        add(ForwardingFallback(backend: backend, isBehindMocks: true) { target })
        return recording
    }
}
