import TestSupport

@testable import BacklotHTTP

extension FuzzTarget {
    /// A client's first bytes, to the server's end of TLS. It refuses them or waits for more, wherever they are cut, and
    /// gives up when nothing more comes.
    static let handshake = FuzzTarget(name: "handshake") { input async throws(Violation) in
        let whole = try FuzzedHandshake.outcome(of: input, cuts: [])
        for cuts in Cuts.some(of: input).dropFirst() {
            let inPieces = try FuzzedHandshake.outcome(of: input, cuts: cuts)
            try require(inPieces == whole, "cut at \(cuts): \(inPieces), not \(whole)")
        }
        return whole.hasResponded
    }
}

private struct FuzzedHandshake: Equatable {
    /// Why the server's end gave up before the client's was at its end; nil when it waits for more.
    var failure: String?
    /// Whether it has sent its part of the handshake, and not an alert only.
    var hasResponded: Bool

    private static let context = Result {
        let identity = TestAuthority().issue()
        return try TLSContext.server(
            [TLSIdentity(certificates: .text(identity.certificate), key: .text(identity.key))],
            protocols: ["h2", "http/1.1"],
            clients: .off,
            tickets: TLSTicketKeys(lifetime: .seconds(3600))
        )
    }

    static func outcome(of input: [UInt8], cuts: [Int]) throws(Violation) -> FuzzedHandshake {
        BrokenPipes.ignoreOnThisThread()
        let pair = SocketPair()
        let (socket, client) = (Socket(descriptor: pair.descriptors[0]), Socket(descriptor: pair.descriptors[1]))
        let session: TLSSession
        do { session = .server(try context.get(), on: socket) } catch { throw Violation(description: "\(error)") }
        var step = TLSSession.Step.wantsRead
        var start = 0
        for end in cuts + [input.count] where step == .wantsRead && end > start {
            let sent = client.send(input.span.extracting(start..<end))
            try require(sent == .bytes(end - start), "the socket takes no more")
            start = end
            step = session.handshake()
        }
        var response = [UInt8](repeating: 0, count: BufferPool.readSize)
        let received = client.receive(into: &response)
        var outcome = FuzzedHandshake(failure: nil, hasResponded: false)
        // RFC 8446, section 5.1: 22 stands before a piece of the handshake, 21 before an alert.
        if case .bytes = received { outcome.hasResponded = response[0] == 22 }
        if case .failed(let failure) = step {
            outcome.failure = failure.description
            return outcome
        }
        try require(step == .wantsRead, "the handshake is \(step)")
        client.shutdownSending()
        guard case .failed = session.handshake() else { throw Violation(description: "it goes on after the end") }
        return outcome
    }
}
