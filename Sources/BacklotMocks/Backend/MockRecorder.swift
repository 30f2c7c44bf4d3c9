package import Backlot

/// What records other backends for mocks: `BacklotRecording` has one.
package protocol MockRecorder: Sendable {
    /// Its commands, below `/__admin`.
    static var commands: [AdminRoute] { get }

    /// Responds instead of the mocks while another backend is recorded.
    func fallback(for backend: MockBackend) -> any Fallback

    /// Notes what another backend has answered because a stub has sent a request on. It is quick: an event loop waits for it.
    func note(_ exchange: ProxiedExchange)

    /// The requests of a journal as a Swift test; nil where none can be made.
    func swiftTest(of entries: [JournalEntry]) async -> Response?
}
