#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A client's end of TLS on a socket that another library has connected. No call blocks. One thread at a time may use it, and
/// the socket's owner closes the socket.
package final class TLSStream {
    /// What a call has done.
    package enum Outcome: Equatable, Sendable {
        /// So many bytes were sent or received; none by a handshake that is done.
        case bytes(Int)
        /// The other side has sent its last byte.
        case end
        /// Call again when there is something to read.
        case wantsRead
        /// Call again when there is room to write.
        case wantsWrite
        /// The connection is broken, for this reason.
        case failed(String)
    }

    private let session: TLSSession

    /// TLS on a connected socket, which never blocks from then on.
    ///
    /// - Parameter host: the host that the server must have a certificate for.
    /// - Throws: `ClientConnectionError.notSecured`.
    package init(on descriptor: Int32, host: String, over connector: TLSConnector) throws(ClientConnectionError) {
        session = .client(try connector.context(offering: nil), on: Socket(descriptor: descriptor), host: host)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Whether bytes can be received for which the socket isn't ready: it has been read already.
    package var hasUnread: Bool { session.hasUnread }

    /// Goes on with the handshake.
    package func handshake() -> Outcome {
        BrokenPipes.ignoreOnThisThread()
        return switch session.handshake() {
        case .done: .bytes(0)
        case .wantsRead: .wantsRead
        case .wantsWrite: .wantsWrite
        case .failed(let failure): .failed(failure.reasonForClients)
        }
    }

    /// Sends what the system takes at once.
    package func send(_ bytes: Span<UInt8>) -> Outcome {
        BrokenPipes.ignoreOnThisThread()
        return switch session.send(bytes) {
        case .bytes(let count): .bytes(count)
        case .wouldBlock: .wantsWrite
        case .end, .failed: failed
        }
    }

    /// Reads into the start of `buffer`, as much as there is and fits.
    package func receive(into buffer: inout [UInt8]) -> Outcome {
        // Receiving may send, too: an alert, or a new key.
        BrokenPipes.ignoreOnThisThread()
        return switch session.receive(into: &buffer) {
        case .bytes(let count): .bytes(count)
        case .end: .end
        case .wouldBlock: session.readingWantsWrite ? .wantsWrite : .wantsRead
        case .failed: failed
        }
    }

    private var failed: Outcome { .failed(session.failure?.reasonForClients ?? "the server has gone") }

    /// Tells the server that nothing more will be sent.
    package func shutDown() {
        BrokenPipes.ignoreOnThisThread()
        _ = session.shutDown()
    }
}
