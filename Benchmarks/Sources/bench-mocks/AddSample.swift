import Backlot
import BacklotMocks
import Foundation

/// How long it takes to add a stub by a command, where there are many already.
struct AddSample {
    /// How many of the last ones are measured.
    private static let last = 1000

    let stubs: Int
    let microseconds: Double

    init(stubs: Int) async throws {
        self.stubs = stubs
        let backend = MockBackend()
        let admin = MockAdmin(
            backend,
            journal: Journal(),
            faults: FaultBoard(),
            access: LocalAccess(host: "127.0.0.1")
        )
        let router = Router()
        router.use(admin)
        router.mocks(backend)
        let handler = router.handler()
        var began = ContinuousClock.now
        for number in 0..<stubs {
            if number == stubs - Self.last { began = .now }
            let request = try Request(.post, "/__admin/mappings", body: Array(Self.stub(number).utf8))
            let response = try await handler(request)
            guard response.status.code == 201 else { fatalError("a stub was refused: \(response)") }
        }
        microseconds = (ContinuousClock.now - began) / .microseconds(min(stubs, Self.last))
        let found = try await handler(Request(.get, "/things/\(stubs / 2)?page=1"))
        guard found.status.code == 200 else { fatalError("a stub doesn't answer: \(found)") }
    }

    private static func stub(_ number: Int) -> String {
        """
        {"request":{"method":"GET","urlPath":"/things/\(number)","queryParameters":{"page":{"matches":"[0-9]+"}}},
        "response":{"status":200,"jsonBody":{"id":\(number),"name":"thing"},"headers":{"X-Stub":"\(number)"}}}
        """
    }

    /// The line that it prints.
    var line: String { "{\"stubs\":\(stubs),\"us_per_stub\":\(microseconds)}" }
}
