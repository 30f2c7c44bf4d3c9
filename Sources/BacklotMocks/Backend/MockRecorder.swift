package import Backlot

/// A recorder of other backends for mocks: `BacklotRecording` has one.
package protocol MockRecorder: Sendable {
    /// Its commands, below `/__admin`.
    static var commands: [AdminRoute] { get }

    /// Responds instead of the mocks while another backend is recorded.
    func fallback(for backend: MockBackend) -> any Fallback

    /// Notes another backend's response to a request that a stub has forwarded. It must be quick, since an event loop waits for it.
    func note(_ exchange: ProxiedExchange)

    /// The requests of a journal as a Swift test; nil if that isn't possible.
    func swiftTest(of entries: [JournalEntry]) async -> Response?
}
