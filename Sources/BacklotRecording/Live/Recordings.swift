import Backlot
import BacklotHTTP
public import BacklotMocks
import HTTPTypes
import Logging
import Synchronization

/// The recordings of a backend of mocks, one at a time: while one is on, another backend answers instead, and is recorded.
final class Recordings: MockRecorder {
    /// Makes a Swift test of requests, without secrets, and what stands for those.
    typealias TestSource = @Sendable ([RecordedExchange], Set<String>) async -> String

    /// What commands say about it.
    enum Status: String {
        case neverStarted = "NeverStarted"
        case recording = "Recording"
        case stopped = "Stopped"
    }

    /// What answers now.
    struct Current: Sendable {
        let proxy: ReverseProxy
        let source: AnswerSource
        /// nil where nothing is recorded.
        let recording: Recording?
    }

    private struct State {
        var status = Status.neverStarted
        var current: Current?
        /// The last recording, also after its end.
        var last: Recording?
        var order = RecordingOrder()
        /// The backend that answers when nothing is recorded; nil for the mocks.
        var standing: Origin?
        /// What all recordings have in common.
        var settings = Recording.Settings()
    }

    private let state = Locked(State())
    private let isProxying = Atomic(false)
    /// What other backends have answered because a stub has sent requests on.
    let forwarded = Recorder.ofForwarded()

    /// Makes a Swift test of requests and what stands for their secrets; nil for none.
    private let testSource: TestSource?

    init(_ testSource: TestSource?) {
        self.testSource = testSource
    }

    func fallback(for backend: MockBackend) -> any Fallback { RecordingFallback(recordings: self, backend: backend) }

    func note(_ exchange: ProxiedExchange) { forwarded.note(exchange) }

    func swiftTest(of entries: [JournalEntry]) async -> Response? {
        guard let testSource else { return nil }
        let start = entries.first?.time ?? 0
        var redaction = Redaction()
        let exchanges = redaction.redacted(entries.compactMap { RecordedExchange($0, since: start) })
        let text = await testSource(exchanges, redaction.pseudonyms)
        return Response(headers: [.contentType: "text/x-swift; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    var status: Status { state.withLock { $0.status } }

    /// What answers instead of the mocks; nil where they do.
    var current: Current? {
        guard isProxying.load(ordering: .relaxed) else { return nil }
        return state.withLock { $0.current }
    }

    /// The last recording and what was ordered for it; nil before the first.
    var last: (recording: Recording, order: RecordingOrder)? {
        state.withLock { state in state.last.map { ($0, state.order) } }
    }

    /// Sets what all recordings have in common, and lets another backend answer also while nothing is recorded.
    func set(_ settings: Recording.Settings, standing: Origin?) {
        state.withLock { state in
            state.settings = settings
            state.standing = standing
        }
    }

    /// The settings of a recording that a command orders.
    func settings(_ order: RecordingOrder, folder: String?) -> Recording.Settings {
        var settings = state.withLock { $0.settings }
        settings.folder = order.isPersistent ? settings.folder ?? folder : nil
        settings.filter = order.filter
        settings.options.captures = order.captures
        return settings
    }

    /// The backend that answers while nothing is recorded; nil for the mocks.
    var standing: Origin? { state.withLock { $0.standing } }

    /// Begins a recording. Where one is on, that goes on.
    func start(_ order: RecordingOrder, from origin: Origin, settings: Recording.Settings, of backend: MockBackend) {
        let recorder = Recorder(origin)
        let recording = Recording(
            recorder,
            settings,
            formats: backend.configuration.formats,
            logger: backend.logger
        )
        state.withLock { state in
            guard state.status != .recording else { return }
            state.last = recording
            state.order = order
            begin(recording, from: origin, of: backend, &state)
        }
    }

    private func begin(_ recording: Recording, from origin: Origin, of backend: MockBackend, _ state: inout State) {
        state.status = .recording
        state.current = Current(
            proxy: backend.proxy(to: origin),
            source: AnswerSource(mock: "recorded from \(origin)"),
            recording: recording
        )
        isProxying.store(true, ordering: .relaxed)
    }

    /// Takes up a recording whose files could not be written.
    func resume(of backend: MockBackend) {
        state.withLock { state in
            guard state.status == .stopped, let recording = state.last, let origin = recording.recorder.origin else {
                return
            }
            begin(recording, from: origin, of: backend, &state)
        }
    }

    /// Ends a recording.
    ///
    /// - Returns: the recording; nil when none is on.
    func stop(of backend: MockBackend) -> Recording? {
        state.withLock { state in
            guard state.status == .recording else { return nil }
            state.status = .stopped
            defer {
                state.current = state.standing.map { origin in
                    Current(
                        proxy: backend.proxy(to: origin),
                        source: AnswerSource(mock: "answered by \(origin)"),
                        recording: nil
                    )
                }
                isProxying.store(state.current != nil, ordering: .relaxed)
            }
            return state.current?.recording
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

    /// A way to another backend.
    func proxy(to origin: Origin) -> ReverseProxy {
        ReverseProxy(origin: origin, connector: connector, observedBodyLimit: Recorder.Bounds().body, name: proxyName)
    }

    /// Lets another backend answer everything, and records it from now on.
    ///
    /// - Returns: nil where the text is no URL that can be asked.
    package func record(_ url: String, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        recordings.set(settings, standing: origin)
        recordings.start(RecordingOrder(), from: origin, settings: settings, of: self)
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
        do throws(ClientFault) {
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
