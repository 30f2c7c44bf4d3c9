internal import NIOCore

/// A request's body that is held back for a while. When the answer comes before it, the body isn't sent.
///
/// A client may send the body without having seen `100 Continue` (RFC 9110, section 10.1.1).
struct HeldBody: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: ByteBuffer?
        fileprivate let delay: Duration

        /// The body, after the delay; then the end.
        mutating func next() async throws -> ByteBuffer? {
            guard let body else { return nil }
            try await Task.sleep(for: delay)
            self.body = nil
            return body
        }
    }

    private let body: ByteBuffer
    private let delay: Duration

    init(_ body: [UInt8], for delay: Duration) {
        self.body = ByteBuffer(bytes: body)
        self.delay = delay
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: body, delay: delay) }
}
