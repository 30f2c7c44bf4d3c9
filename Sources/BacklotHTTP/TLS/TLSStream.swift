#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A client's side of TLS on a socket that another library has connected. Calls don't block. One thread at a time may use it, and
/// the socket's owner closes the socket.
package final class TLSStream {
    /// The outcome of a call.
    package enum Outcome: Equatable, Sendable {
        /// The number of bytes sent or received; 0 for a completed handshake.
        case bytes(Int)
        /// The other side has sent its last byte.
        case end
        /// Call again when the socket is readable.
        case wantsRead
        /// Call again when the socket is writable.
        case wantsWrite
        /// The connection is broken, for this reason.
        case failed(String)
    }

    private let session: TLSSession

    /// Starts TLS on a connected socket, which never blocks from then on.
    ///
    /// - Parameter host: the host that the server must have a certificate for.
    /// - Throws: `ClientConnectionError.notSecured`.
    package init(on descriptor: Int32, host: String, over connector: TLSConnector) throws(ClientConnectionError) {
        session = .client(try connector.context(offering: nil), on: Socket(descriptor: descriptor), host: host)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Whether there are bytes to receive that have already been read from the socket: the socket doesn't become readable for
    /// them.
    package var hasUnread: Bool { session.hasUnread }

    /// Continues the handshake.
    package func handshake() -> Outcome {
        BrokenPipes.ignoreOnThisThread()
        return switch session.handshake() {
        case .done: .bytes(0)
        case .wantsRead: .wantsRead
        case .wantsWrite: .wantsWrite
        case .failed(let failure): .failed(failure.reasonForClients)
        }
    }

    /// Sends the bytes that the system accepts at once.
    package func send(_ bytes: Span<UInt8>) -> Outcome {
        BrokenPipes.ignoreOnThisThread()
        return switch session.send(bytes) {
        case .bytes(let count): .bytes(count)
        case .wouldBlock: .wantsWrite
        case .end, .failed: failed
        }
    }

    /// Reads as many bytes as are available and fit into the start of `buffer`.
    package func receive(into buffer: inout [UInt8]) -> Outcome {
        // Receiving may also send: an alert, or a new key.
        BrokenPipes.ignoreOnThisThread()
        return switch session.receive(into: &buffer) {
        case .bytes(let count): .bytes(count)
        case .end: .end
        case .wouldBlock: session.readingWantsWrite ? .wantsWrite : .wantsRead
        case .failed: failed
        }
    }

    private var failed: Outcome { .failed(session.failure?.reasonForClients ?? "the server has gone") }

    /// Tells the server that this side sends no more.
    package func shutDown() {
        BrokenPipes.ignoreOnThisThread()
        _ = session.shutDown()
    }
}
