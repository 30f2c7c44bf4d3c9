import TestSupport

@testable import BacklotHTTP

/// Both ends of a connection over TLS, on the two sockets of a pair.
final class TLSPair {
    static let authority = TestAuthority()

    let server: TLSSession
    let client: TLSSession
    let sockets: [Socket]
    private let pair = SocketPair()
    /// How often each end was called before both were done.
    private(set) var rounds = 0

    init(_ server: TLSContext, _ client: TLSContext, host: String = "localhost") {
        BrokenPipes.ignoreOnThisThread()
        sockets = pair.descriptors.map(Socket.init)
        self.server = .server(server, on: sockets[0])
        self.client = .client(client, on: sockets[1], host: host)
    }

    /// A server's side with one certificate.
    static func server(
        _ identity: TestIdentity = authority.issue(),
        protocols: [String] = ["h2", "http/1.1"],
        clients: TLSConfiguration.ClientCertificates = .off,
        tickets: TLSTicketKeys? = nil
    ) throws -> TLSContext {
        let identity = try TLSIdentity(certificates: .text(identity.certificate), key: .text(identity.key))
        return try .server([identity], protocols: protocols, clients: clients, tickets: tickets)
    }

    /// A client's side that trusts the authority of these tests.
    static func client(protocols: [String] = ["h2", "http/1.1"], identity: TestIdentity? = nil) throws -> TLSContext {
        try .client(
            trust: TLSTrust(.text(authority.certificate)),
            protocols: protocols,
            identity: identity.map { try TLSIdentity(certificates: .text($0.certificate), key: .text($0.key)) }
        )
    }

    /// Lets both ends finish their handshakes, or fail.
    func shakeHands() -> (server: TLSSession.Step, client: TLSSession.Step) {
        var (serverStep, clientStep) = (TLSSession.Step.wantsRead, TLSSession.Step.wantsRead)
        while rounds < 20 {
            rounds += 1
            if !clientStep.isLast { clientStep = client.handshake() }
            if !serverStep.isLast { serverStep = server.handshake() }
            if clientStep.isLast, serverStep.isLast { break }
            // An end that has failed says nothing more.
            if case .failed = serverStep, !clientStep.isLast { clientStep = client.handshake() }
            if case .failed = clientStep, !serverStep.isLast { serverStep = server.handshake() }
        }
        return (serverStep, clientStep)
    }
}

extension TLSSession.Step {
    var isLast: Bool { self != .wantsRead && self != .wantsWrite }

    var failure: String? {
        if case .failed(let failure) = self { failure.description } else { nil }
    }
}

extension TLSSession {
    /// Everything that can be received now, and how that ended.
    func receiveAll() -> (bytes: [UInt8], end: Socket.Outcome) {
        var bytes: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 10_000)
            let received = receive(into: &buffer)
            guard case .bytes(let count) = received else { return (bytes, received) }
            bytes += buffer[..<count]
        }
    }
}
