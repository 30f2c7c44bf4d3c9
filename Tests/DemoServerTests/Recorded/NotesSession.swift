import Applin
import Backlot
import BacklotMocks
import BacklotRecording
import BacklotTesting

@testable import demo_server

/// Two people who use the notes app at the same time, and what goes over the wire meanwhile.
final class NotesSession {
    private let recorder: RecordingTransport
    private let ann: ApplinClient
    private let bob: ApplinClient

    /// - Parameter handler: the demo, with nothing in its stores.
    init(_ handler: any Handler) throws {
        recorder = RecordingTransport(try InProcessTransport(handler))
        let url = InProcessTransport.root + DemoMount.objects.path.dropFirst()
        ann = try ApplinClient(url: url, transport: recorder)
        bob = ann.otherDevice()
    }

    /// What was asked and answered.
    var exchanges: [RecordedExchange] { recorder.exchanges }

    /// Lets time pass for both.
    private func wait(_ duration: Duration) async throws {
        recorder.pass(duration)
        for app in [ann, bob] where !app.stack.isEmpty { try await app.wait(duration) }
    }

    /// A session of more than 30 steps: accounts, notes, an edit, a photo, a log-out and a log-in.
    func run() async throws {
        try await ann.launch()
        try await bob.launch()
        try await ann.tap("Notes")
        try await bob.tap("Notes")
        try await ann.tap("Create an account")
        try await bob.tap("Create an account")
        try await bob.enter("b", into: "Name")
        try await bob.tap("Create Account")
        try await ann.enter("ann", into: "Name")
        try await ann.enter("correct horse", into: "Password")
        try await ann.tap("Create Account")
        try await bob.back()
        try await bob.enter("bob", into: "Name")
        try await bob.enter("correct horse", into: "Password")
        try await bob.tap("Create Account")
        try await wait(.seconds(5))
        try await ann.tap("New note")
        try await bob.tap("New note")
        try await ann.enter("Buy milk \u{1F95B} and \"bread\"", into: "Text")
        try await bob.enter("Call the plumber", into: "Text")
        try await ann.tap("Add")
        try await bob.tap("Add")
        try await wait(.seconds(5))
        try await ann.tap("Buy milk \u{1F95B} and \"bread\"")
        try await ann.enter("Buy oat milk", into: "Text")
        try await ann.back()
        try await bob.tap("Call the plumber")
        try await wait(.seconds(5))
        try await bob.tap("Delete…")
        try await bob.tap("Delete")
        try await wait(.seconds(5))
        try await ann.tap("All demos")
        try await ann.tap("Photos")
        try await ann.tap("Choose a photo, cut to a square")
        try await ann.uploadPhoto()
        try await ann.tap("Too large")
        try await ann.uploadPhoto()
        try await ann.back()
        try await ann.back()
        try await ann.tap("Notes")
        try await ann.tap("Log out")
        try await bob.tap("Log out")
        try await ann.tap("Log in")
        try await ann.enter("ann", into: "Name")
        try await ann.enter("correct horse", into: "Password")
        try await ann.tap("Log In")
        try await ann.tap("Buy oat milk")
    }
}

/// A way to a server that keeps what was asked and answered.
private final class RecordingTransport: ClientTransport {
    private struct State {
        var exchanges: [RecordedExchange] = []
        var now = Duration.zero
    }

    private let inner: any ClientTransport
    private let state = Locked(State())

    init(_ inner: any ClientTransport) {
        self.inner = inner
    }

    var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        let response = try await inner.response(to: request, limits: limits)
        state.withLock { state in
            state.now += .milliseconds(100)
            state.exchanges.append(
                RecordedExchange(
                    request.method,
                    request.url.target,
                    requestHeaders: request.headers,
                    requestBody: request.body,
                    status: response.status.code,
                    responseHeaders: response.headers,
                    responseBody: response.body,
                    began: state.now
                )
            )
        }
        return response
    }
}
