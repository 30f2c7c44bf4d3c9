#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Two sockets that are connected with each other and never block. They close with the pair.
public final class SocketPair: Sendable {
    /// The system's descriptors.
    public let descriptors: [Int32]

    /// A new pair.
    public init() {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        var descriptors: [Int32] = [-1, -1]
        unsafe socketpair(AF_UNIX, stream, 0, &descriptors)
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
