// Mocks in a test: a backend from files and from JSON, with a fault, for code that calls a backend. `demo-server mock` serves
// the same files to anything else.
import Backlot
import BacklotMocks
import BacklotTesting
import Foundation
import Testing

/// The code under test: it tries once more if the weather is late.
func forecast(for town: String, from client: HTTPClient) async throws -> String {
    var response = try await client.get("/weather/\(town)")
    if response.status == .serviceUnavailable { response = try await client.get("/weather/\(town)") }
    return try response.json(as: [String: String].self)["forecast"] ?? "unknown"
}

@Suite(.timeLimit(.minutes(5))) struct MocksTests {
    private let backend = MockBackend()
    private let faults = FaultBoard()
    private let router = Router()

    init() throws {
        // The files of Tests/Routes: weather/[town].get.yaml is GET of /weather/oslo.
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Routes").path
        try RouteFiles(folder, backend: backend).load()
        router.use(FaultInjection(faults))
        router.mocks(backend)
    }

    @Test(arguments: ClientReach.allCases) func `A file responds`(reach: ClientReach) async throws {
        try await withHTTPClient(router, over: reach) { client in
            let forecast = try await forecast(for: "oslo", from: client)
            #expect(forecast == "snow in oslo")
        }
    }

    @Test func `A stub of this test takes precedence`() async throws {
        backend.stubs.add(
            try backend.stub(json: [
                "request": ["method": "GET", "urlPath": "/weather/oslo"],
                "response": ["jsonBody": ["forecast": "sun"]], "priority": 1,
            ])
        )
        try await withHTTPClient(router) { client in
            let forecasts = try await [forecast(for: "oslo", from: client), forecast(for: "rome", from: client)]
            #expect(forecasts == ["sun", "snow in rome"])
        }
    }

    @Test func `The code survives a fault`() async throws {
        faults.add(FaultOrder(Fault(status: .serviceUnavailable), for: .anyone))
        try await withHTTPClient(router) { client in
            let forecast = try await forecast(for: "oslo", from: client)
            #expect(forecast == "snow in oslo")
        }
    }
}
