import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotMocks

/// Commands as nobody would write them.
@Suite(.timeLimit(.minutes(5))) struct MutatedCommandTests {
    private static let commands: [(HTTPRequest.Method, String, String)] = [
        (
            .post, "/mappings",
            #"{"request":{"method":"GET","urlPath":"/a","headers":{"A":{"equalTo":"b"}}},"response":{"status":201}}"#
        ),
        (.post, "/mappings/import", #"{"mappings":[{"request":{}}],"importOptions":{"duplicatePolicy":"IGNORE"}}"#),
        (.post, "/requests/find", #"{"method":"ANY","urlPathPattern":"/[a-z]+","bodyPatterns":{"contains":"x"}}"#),
        (.post, "/near-misses/request", #"{"url":"/a?b=c","method":"GET","headers":{"A":["b","c"]},"body":"x"}"#),
        (.post, "/near-misses/request-pattern", #"{"url":"/a","cookies":{"a":{"matches":".*"}}}"#),
        (.post, "/mappings/find-by-metadata", #"{"matchesJsonPath":{"expression":"$.a","equalTo":"b"}}"#),
        (.put, "/scenarios/s/state", #"{"state":"Started"}"#),
        (.post, "/faults", #"{"status":503,"delay":1,"fault":"EMPTY_RESPONSE","times":2,"session":"a","path":"/a"}"#),
        (.post, "/settings", #"{"fixedDelay":0}"#),
    ]

    @Test(arguments: commands.indices)
    func `Mutated commands are carried out or refused, and nothing fails`(index: Int) async throws {
        let (method, path, body) = Self.commands[index]
        let app = AdminApp()
        try await app.add(["scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "t"])
        try await app.call(.get, "/a")
        var mutator = Mutator(
            random: SeededGenerator(seed: UInt64(index)),
            tokens: ["{", "}", "[", "]", "null", "-1", "1e300", "\"\"", "9223372036854775807", "\\u0000"].map {
                Array($0.utf8)
            }
        )
        var statuses: [Int: Int] = [:]
        for _ in 0..<400 {
            let bytes = mutator.mutate(Array(body.utf8))
            let response = try await app.call(method, "/__admin\(path)", bytes: bytes)
            statuses[response.status, default: 0] += 1
            if response.status >= 400 { #expect(response.json["errors"]?[0]?["detail"]?.string?.isEmpty == false) }
            // Matching so many stubs is not what is tried here.
            if app.backend.stubs.count > 50 { app.backend.stubs.reset() }
            app.journal.remove { $0.request.path != "/a" }
        }
        #expect(Set(statuses.keys).isSubset(of: [200, 201, 404, 422]), "\(statuses)")
        #expect(statuses[422, default: 0] > 100, "\(statuses)")
    }

    /// A search for each key among all others would take longer than the time limit.
    @Test func `A command may have many keys that are null`() throws {
        let prefix = String(repeating: "x", count: 100)
        let members = (100_000..<200_000).map { "\"\(prefix)\($0)\":null" }.joined(separator: ",")
        let body = Array("{\"fixedDelay\":7,\(members)}".utf8)
        let path = try PathPattern("/settings", as: .mock)
        let request = try MockRequest(.post, "/settings", body: body)
        let call = AdminCall(request: request, parameters: PathParameters(path, in: request.pathSegments))
        #expect(try call.object(as: .init("settings")).value == ["fixedDelay": 7])
    }
}
