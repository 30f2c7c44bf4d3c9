import Backlot
import BacklotTesting
import Floki
import Testing

@testable import demo_server

/// `POST /floki/desk/items`
@Suite(.timeLimit(.minutes(5))) struct ScriptPublishingTests {
    private static let token = "0123456789abcdef"
    private static let path = "/floki/desk/items"

    private struct Desk {
        let stores: DemoStores
        let client: DemoClient

        init(token: String? = ScriptPublishingTests.token) {
            var stores = DemoStores()
            stores.desk = EditorAccess(token: token)
            self.stores = stores
            client = DemoClient(.documented, stores: stores)
        }

        func post(
            _ body: String,
            type: String? = "application/x-ndjson",
            authorization: String? = "Bearer \(ScriptPublishingTests.token)"
        ) async throws -> DemoClient.Response {
            var headers: HTTPFields = [:]
            headers[.contentType] = type
            headers[.authorization] = authorization
            return try await client.send(
                .post,
                fromRoot: ScriptPublishingTests.path,
                headers: headers,
                body: Array(body.utf8)
            )
        }

        func title(_ id: Int, _ language: String) async throws -> String? {
            try await stores.newspaper.news.entry(id, language: language)?.title
        }
    }

    @Test func `Lines are saved, in one language or in all, and may be sent again`() async throws {
        let desk = Desk()
        let lines = """
            {"feed":"news","id":70,"title":"Both","tags":["breaking"]}

            {"feed":"news","id":71,"language":"es","title":"Uno"}\r
            {"feed":"photos","id":41,"url":"/pictures/bridge-large.png","width":320,"height":320}
            """
        for _ in 0..<2 {
            let response = try await desk.post(lines).withStatus(200)
            #expect(response.text == #"{"saved":3}"#)
            #expect(try await desk.title(70, "en") == "Both")
            #expect(try await desk.title(70, "es") == "Both")
            #expect(try await desk.title(71, "en") == nil)
            #expect(try await desk.title(71, "es") == "Uno")
            #expect(try await desk.stores.newspaper.photos.entry(41)?.width == 320)
        }
    }

    @Test(arguments: [
        #"{"feed":"news","id":70,"title":"One"}"#, "[\n{\"feed\":\"news\",\n\"id\":70,\"title\":\"One\"}]",
    ])
    func `So is an object, or an array of them`(body: String) async throws {
        let desk = Desk()
        #expect(try await desk.post(body, type: "application/json; charset=utf-8").text == #"{"saved":1}"#)
        #expect(try await desk.title(70, "en") == "One")
    }

    @Test func `A draft is not shown`() async throws {
        let desk = Desk()
        _ = try await desk.post(#"{"feed":"news","id":70,"title":"Later","publish":"draft"}"#)
        #expect(try await desk.title(70, "en") == nil)
        #expect(try await desk.stores.newspaper.news.entry(70, language: "en", draft: true)?.title == "Later")
    }

    @Test(arguments: [
        ("", 422, "the request has no entries"),
        ("\n \n", 422, "the request has no entries"),
        ("nonsense", 422, "line 1: it is not JSON: "),
        (#"{"feed":"news","id":70,"title":"T"}"# + "\n\n{}", 422, "line 3: \"feed\" is missing; nothing was saved"),
        (
            #"{"feed":"news","id":70,"title":"T"}"# + "\n" + #"{"feed":"news","id":71,"title":"T","section_ids":[9]}"#,
            422, "line 2: clients would not accept this:"
        ),
        (#"{"feed":"news","id":70,"title":"T","image":"/../x y"}"# + "\n{", 422, "line 2: it is not JSON: "),
    ])
    func `A wrong line is named, and nothing is saved`(body: String, status: Int, message: String) async throws {
        let desk = Desk()
        let response = try await desk.post(body)
        #expect(response.status == status)
        #expect(response.text.hasPrefix(message), "\(response.text)")
        #expect(try await desk.title(70, "en") == nil)
    }

    @Test(arguments: [nil, "text/csv", "application/x-www-form-urlencoded", "application/x-ndjsonx"])
    func `Another type is refused`(type: String?) async throws {
        let response = try await Desk().post("{}", type: type).withStatus(415)
        #expect(response.text.hasPrefix("send lines of JSON as application/x-ndjson"))
    }

    @Test func `Too much is refused`() async throws {
        func lines(_ count: Int) -> String {
            (1...count).map { #"{"feed":"news","id":\#(1_000_000 + $0),"title":"T"}"# + "\n" }.joined()
        }
        let many = try await Desk().post(lines(ScriptPublishing.mostLines + 1)).withStatus(413)
        #expect(many.text == "a request has at most 1000 entries: send them in parts")
        #expect(try await Desk().post(lines(ScriptPublishing.mostLines)).status == 200)
        try await Desk().post(String(repeating: " ", count: ScriptPublishing.mostBytes + 1)).withStatus(413)
        let zeros = Array(repeating: "0", count: 1001).joined(separator: ",")
        #expect(try await Desk().post("[\(zeros)]", type: "application/json").text == many.text)
        let blank = String(repeating: "\n", count: 100_000)
        #expect(try await Desk().post(blank).text == "the request has no entries")
        let more = try await Desk().post(blank + "\n").withStatus(413)
        #expect(more.text == "a request has at most 100000 lines: send them in parts")
    }

    @Test(arguments: [
        (nil, 401), ("Bearer 0123456789abcdeF", 401), ("Bearer 0123456789abcde", 401), ("Bearer", 400),
        ("Basic 0123456789abcdef", 401), ("Bearer a b", 400),
    ])
    func `Without the token nobody publishes`(authorization: String?, status: Int) async throws {
        let desk = Desk()
        let response = try await desk.post(#"{"feed":"news","id":70,"title":"T"}"#, authorization: authorization)
        #expect(response.status == status)
        #expect(try await desk.title(70, "en") == nil)
    }

    @Test func `Without a token in the settings, the response says how to set one`() async throws {
        let desk = Desk(token: nil)
        let response = try await desk.post(#"{"feed":"news","id":70,"title":"T"}"#).withStatus(403)
        #expect(response.text.contains("start the server with a --desk-token"))
        #expect(try await desk.title(70, "en") == nil)
    }
}
