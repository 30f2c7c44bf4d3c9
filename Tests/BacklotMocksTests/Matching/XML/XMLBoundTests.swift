import Backlot
import Logging
import TestSupport
import Testing

@testable import BacklotMocks

/// Bodies and paths that would take forever. The client gets a response, and other clients don't wait for it.
@Suite(.timeLimit(.minutes(5))) struct XMLBoundTests {
    static let wide = "<r>" + String(repeating: "<a>x</a>", count: 7000) + "<b>y</b></r>"
    static let bomb = #"""
        <!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
        ]><r>&c;&c;&c;&c;</r>
        """#

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("//*[//*[. = //*]]", wide), ("//a[not(//a = //b)][last()]/following::*[. = //a]", wide),
            ("//r", bomb + String(repeating: " ", count: 2000)),
        ]
    )
    func `A bomb is given up while others are answered`(path: String, body: String) async throws {
        let recorder = LogRecorder()
        let backend = MockBackend(logger: recorder.logger)
        backend.stubs.add(
            try Stub(json: [
                "request": ["url": "/bomb", "bodyPatterns": [["matchesXPath": .string(path)]]], "response": [:],
            ])
        )
        backend.stubs.add(try Stub(json: ["request": ["url": "/fine"], "response": ["body": "fine"]]))
        let router = Router()
        router.mocks(backend)
        router.explainMismatches(of: backend)
        var configuration = ServerConfiguration()
        configuration.eventLoops = 1
        try await withServer(router.handler(), configuration: configuration) { address in
            let slow = try await RawClient.connect(to: address)
            try await slow.send("POST /bomb HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let quick = try await RawClient.connect(to: address)
            for _ in 0..<20 {
                let start = ContinuousClock.now
                try await quick.send("GET /fine HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await quick.receive(responseTo: "GET").text == "fine")
                #expect(ContinuousClock.now - start < .seconds(5))
            }
            let response = try await slow.receive(responseTo: "POST")
            #expect(response.status == 404)
        }
        #expect(recorder.lines.contains { $0.contains("was given up") })
    }
}
