import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotPreview

struct LiveTests {
    @Test func `Who listens is told of exchanges, bodies of other clients included`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        #expect(!hub.isWatched)
        let (number, events) = hub.join()
        #expect(hub.isWatched)
        _ = try await app.answer(.post, "/fill", [.userAgent: "phone"], body: #"{"a":"b"}"#)
        _ = try await app.answer(.get, "/nothing")
        hub.leave(number)
        #expect(!hub.isWatched)
        var told: [JSONValue] = []
        for await event in events {
            if case .exchange(let exchange) = event { told.append(exchange) }
        }
        #expect(told.count == 2)
        #expect(told.first?["path"] == "/fill")
        #expect(told.first?["status"] == 200)
        #expect(told.first?["agent"] == "phone")
        #expect(told.first?["body"] == #"{"a":"b"}"#)
        #expect(told.first?["setCookies"]?[0]?.string?.hasPrefix("session=") == true)
        #expect(told.last?["status"] == 404)
    }

    @Test func `A browser's own requests are told without their bodies`() async throws {
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        let (number, events) = hub.join()
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("Sec-Fetch-Mode"))] = "cors"
        _ = try await app.answer(.post, "/fill", headers, body: "{}")
        hub.leave(number)
        for await case .exchange(let exchange) in events {
            #expect(exchange["browser"] == true)
            #expect(exchange["body"] == nil)
        }
    }

    @Test func `Events are written as a browser reads them`() {
        #expect(PreviewEvent.changed.text == "event: changed\ndata: {}\n\n")
        #expect(PreviewEvent.hello(instance: "1").text == "event: hello\ndata: {\"instance\":\"1\"}\n\n")
        #expect(PreviewEvent.exchange(["path": "/a\nb"]).text == "event: exchange\ndata: {\"path\":\"/a\\nb\"}\n\n")
        #expect(PreviewEvent.beat.text == ": beat\n\n")
    }

    @Test func `One that takes nothing holds back nobody and takes no memory`() async {
        let hub = EventHub()
        let (_, events) = hub.join()
        for _ in 0..<1000 { hub.send(.changed) }
        hub.stop()
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 256)
        let (_, later) = hub.join()
        for await _ in later { Issue.record("nothing comes once it is stopped") }
    }

    @Test(arguments: [
        (["Backlot-Fault": "status=503"], 503), (["Cookie": "backlot-fault=status=418"], 418), ([:], 200),
        (["Backlot-Fault": "status=503", "X-Forwarded-For": "10.0.0.1"], 200),
    ])
    func `The phone's requests may ask for faults, and nobody else's`(
        fields: [String: String],
        status: Int
    ) async throws {
        var headers: HTTPFields = [:]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let app = try PreviewedApp()
        let hub = try #require(app.preview).hub
        let (number, _) = hub.join()
        let response = try await app.answer(.get, "/", headers)
        hub.leave(number)
        #expect(response.status.code == status)
    }
}
