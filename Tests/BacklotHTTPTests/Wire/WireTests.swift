import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Every case over a real socket: what the handler saw, what came back, and how the connection ended.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
    /// Answers with what it saw, once it has the whole body.
    private struct Witness: Handler {
        let requests = Recorder<String>()

        func respond(to request: Request) -> HandlerResult {
            .pending {
                let body = try await request.body.collect()
                let text = WireCase.saw("\(request.method) \(request.target)", spelled(body))
                requests.record(text)
                return Response(body: .bytes(bytes(text)))
            }
        }
    }

    /// What a client got, but for the dates, and for the 100s, which depend on when its bytes arrived.
    private struct Exchange: Equatable {
        var received: [ReceivedResponse] = []
        /// What came after the last answer that was whole.
        var rest = ""
        var end = ConnectionEnd.stillOpen
        var requests: [String] = []

        /// The answers' bodies where they are the handler's, else their statuses.
        var responses: [String] { received.map { $0.status == 200 ? spelled($0.body) : "\($0.status)" } }
    }

    /// Sends the wire in pieces, of which each is read before the next one is sent, and then the end.
    private func exchange(
        _ wire: [UInt8],
        cuts: [Int] = [],
        with server: RunningServer,
        over transport: TestTransport = .clearText,
        _ witness: Witness
    ) async throws -> Exchange {
        let before = witness.requests.events.count
        let client = try await RawClient.connect(to: server.address, tls: transport.http1)
        var start = 0
        for end in cuts + [wire.count] {
            // After a refusal the server may be gone before all is sent.
            try? await client.send(Array(wire[start..<end]))
            start = end
            // By the end of the second round trip, the loop has read what was there before the first.
            for _ in 0..<(end == wire.count ? 0 : 2) { await server.forEachConnection { _ in } }
        }
        await client.shutdownSending()
        var exchange = try await Self.receive(from: client)
        await client.close()
        exchange.requests = Array(witness.requests.events[before...])
        return exchange
    }

    private static func receive(from client: RawClient) async throws -> Exchange {
        var exchange = Exchange()
        do {
            while true {
                var response = try await client.receive()
                response.fields.removeAll { $0.name == "Date" }
                if response.status != 100 { exchange.received.append(response) }
            }
        } catch RawClientError.ended(let end, let rest) {
            (exchange.end, exchange.rest) = (end, rest)
            return exchange
        }
    }

    private static func configure(_ configuration: inout ServerConfiguration, _ transport: TestTransport) {
        configuration.eventLoops = 1
        transport.configure(&configuration)
    }

    @Test(arguments: TestTransport.allCases) func `Each case gets its responses over a socket`(
        _ transport: TestTransport
    ) async throws {
        let witness = Witness()
        try await withTestServer(configure: { Self.configure(&$0, transport) }, witness) { server in
            for example in WireCase.all {
                let exchange = try await exchange(example.wire, with: server, over: transport, witness)
                #expect(exchange.responses == example.responses, "\(example.title)")
                #expect(exchange.requests == example.responses.filter { Int($0) == nil }, "\(example.title)")
                #expect(exchange.end == .closed && exchange.rest.isEmpty, "\(example.title)")
                if example.isRefused {
                    #expect(exchange.received.last?["Connection"] == "close", "\(example.title)")
                    #expect(exchange.received.last?["Content-Type"] == "text/plain; charset=utf-8", "\(example.title)")
                }
            }
        }
    }

    /// The bytes of the answers and the requests that handlers see are the same wherever the client's bytes are cut.
    @Test(arguments: TestTransport.allCases) func `Sampled cuts change no response over a socket`(
        _ transport: TestTransport
    ) async throws {
        var random = SeededGenerator(seed: 11)
        let witness = Witness()
        try await withTestServer(configure: { Self.configure(&$0, transport) }, witness) { server in
            // A handshake for each takes its time.
            let step = transport == .tls ? 8 : 1
            for index in stride(from: 0, to: WireCase.all.count, by: step) where WireCase.all[index].wire.count > 1 {
                let example = WireCase.all[index]
                let whole = try await exchange(example.wire, with: server, over: transport, witness)
                let cuts = (0..<2).map { _ in Int.random(in: 1..<example.wire.count, using: &random) }.sorted()
                for cuts in [cuts, [cuts[0]]] {
                    let inPieces = try await exchange(example.wire, cuts: cuts, with: server, over: transport, witness)
                    #expect(inPieces == whole, "\(example.title), cut at \(cuts)")
                }
            }
        }
    }

    // MARK: Cut

    @Test func `Each case gets its responses without a socket`() {
        for example in WireCase.all {
            let responses = DocumentObject.responses(to: example.wire, cuts: [])
            #expect(responses == example.responses, "\(example.title)")
        }
    }

    @Test func `No cut changes a response without a socket`() async {
        for example in WireCase.all {
            let wire = example.wire
            let bytewise = DocumentObject.responses(to: wire, cuts: 0..<wire.count)
            #expect(bytewise == example.responses, "\(example.title), one byte at a time")
            // In what is thousands of bytes long, most are alike.
            let step = wire.count > 2000 ? wire.count / 20 : 1
            for cut in stride(from: 0, to: wire.count, by: step) {
                // Others wait for the thread, some of them with a client that has little time.
                if step > 1 || cut.isMultiple(of: 20) { await Task.yield() }
                let responses = DocumentObject.responses(to: wire, cuts: CollectionOfOne(cut))
                if responses != example.responses {
                    Issue.record("\(example.title): \(responses), not \(example.responses), cut at byte \(cut)")
                }
            }
        }
    }
}
