import BacklotHTTP
import NIOCore
import NIOPosix
import NIOSSL

/// Takes connections over TLS and passes their bytes on to a server that speaks plain TCP, as a proxy does in front of a
/// backend.
struct TLSFront {
    /// The certificate of `localhost` and 127.0.0.1, signed by itself.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMDAwMTAxMDAwMDAwWhgPMjEwMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJSA3SzpfZOvMpp2
        sYDaoozAHiNUwMWSoHIUhij1qh+D1/q0kF8Bl5AY6YxzBkeemadVYV+EVx5K/Z50
        nU0egrqjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
        BTADAQH/MB0GA1UdDgQWBBTypEYYqAV969bbV5sB7iOAizRN2jAKBggqhkjOPQQD
        AgNIADBFAiEAkr46cA5Lgxcw+tUiGolXvxk1A51aqmHFOpgp5a4+7jUCIBzoQZTR
        cOaWkHhe96pWGaUGTyp/xxc9Vp9NfSQGW+wS
        -----END CERTIFICATE-----
        """

    /// The certificate's key: for these tests, and worth nothing elsewhere.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKRyp3l70rW3UN0y/
        CqeElCAmgA23tvC7aiyVteAuVFKhRANCAASUgN0s6X2TrzKadrGA2qKMwB4jVMDF
        kqByFIYo9aofg9f6tJBfAZeQGOmMcwZHnpmnVWFfhFceSv2edJ1NHoK6
        -----END PRIVATE KEY-----
        """

    let port: Int
    private let channel: any Channel

    /// Starts to listen on a free port of 127.0.0.1.
    static func start(to backend: BacklotHTTP.SocketAddress) async throws -> TLSFront {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        let context = try NIOSSLContext(configuration: configuration)
        let (host, port) = (backend.host, Int(backend.port))
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try client.pipeline.syncOperations.addHandler(Relay(host: host, port: port))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TLSFront(port: channel.localAddress?.port ?? 0, channel: channel)
    }

    /// Takes no more connections.
    func stop() async throws {
        try await channel.close()
    }
}

/// Passes on what a client sends, and what comes back.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: String
    private let port: Int
    private var backend: (any Channel)?
    private var waiting: [ByteBuffer] = []

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = context.channel
        let relay = NIOLoopBound(self, eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { backend in
                backend.eventLoop.makeCompletedFuture {
                    try backend.pipeline.syncOperations.addHandler(Back(client: client))
                }
            }
            .connect(host: host, port: port)
            .whenComplete { result in
                switch result {
                case .success(let backend): relay.value.connected(to: backend)
                case .failure: client.close(promise: nil)
                }
            }
    }

    private func connected(to backend: any Channel) {
        self.backend = backend
        for bytes in waiting { backend.write(bytes, promise: nil) }
        waiting = []
        backend.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let backend { backend.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        backend?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// The way back. The client's connection ends with the backend's, without a farewell, where that broke.
private final class Back: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(client: any Channel) {
        self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
