import Backlot
import Testing

@testable import Xpedite

/// Tables with queries, which the session keeps, and rows that are values of the app.
@Suite(.timeLimit(.minutes(5))) struct TableQueryTests {
    private struct Query: Codable {
        var text: String
        var limit: Int?
    }

    private struct Row: Encodable {
        var zebra: Int
        var name: String
        var note: String?
        var isNew = true
    }

    private static let rows = TableMethod<Query>("rows")
    private static let plain = TableMethod("plain")
    private static let list = TableMethod<[Int]>("list")

    private func makeApp() throws -> TestApp {
        try TestApp { app in
            app.connect { _ in page { label("start") } }
            app.method("show") { call in
                page {
                    scrollview {
                        table(Self.rows, Query(text: call.parameter("q")?.string ?? "", limit: nil)) { cell("name") }
                    }
                    table(Self.plain) { cell("name") }
                }
            }
            app.method("showList") { _ in page { table(Self.list, [1]) { cell("name") } } }
            app.method("other") { _ in
                page { table(TableMethod<Query>("nowhere"), Query(text: "x")) { cell("name") } }
            }
            app.table(Self.rows, batch: 2) { query, offset, limit, _ in
                (offset..<min(5, offset + limit)).map { Row(zebra: $0, name: "\(query.text)\($0)") }
            }
            app.table(Self.plain) { _, _, _ in [Row(zebra: 1, name: "plain", note: "n", isNew: false)] }
            app.table(TableMethod<[Int]>("list")) { _, _, _, _ in [Row]() }
            app.table("numbers") { _, _, _ in [1, 2] }
        }
    }

    private func names(_ response: JSONValue) -> [String?] {
        (response["data"]?.array ?? []).map { $0["name"]?.string }
    }

    @Test func `Rows are written in the order of their properties`() async throws {
        let app = try makeApp()
        let token = try await app.connect()
        let response = try await app.send(["method": "plain", "token": .string(token)])
        #expect(
            response.description
                == #"{"rc":0,"token":"\#(token)","data":[{"zebra":1,"name":"plain","note":"n","isNew":false}]}"#
        )
    }

    @Test func `The query of the last page counts for each batch`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        func rows(_ more: JSONObject = [:]) async throws -> JSONValue {
            var packet: JSONObject = ["method": "rows", "token": token]
            for member in more.members { packet[member.key] = member.value }
            return try await app.send(packet)
        }
        #expect(try await rows().label == "The value 'text' is missing.")
        let shown = try await app.send(["method": "show", "token": token, "parameters": ["q": "a"]])
        #expect(
            shown["components"]?[0]?["components"]?[0]
                == ["type": "table", "data": ["dynamic": "rows"], "cell": [["field": "name"]]]
        )
        #expect(names(try await rows()) == ["a0", "a1"])
        #expect(names(try await rows(["offset": 2])) == ["a2", "a3"])
        #expect(try await rows(["offset": 4])["max"] == nil)
        _ = try await app.send(["method": "show", "token": token, "parameters": ["q": "b"]])
        #expect(names(try await rows(["offset": 4])) == ["b4"])
        #expect(names(try await rows(["parameters": ["text": "c"]])) == ["c0", "c1"])
        #expect(names(try await rows()) == ["b0", "b1"])
    }

    @Test func `Sessions don't share queries`() async throws {
        let app = try makeApp()
        let one = JSONValue.string(try await app.connect())
        let two = JSONValue.string(try await app.connect())
        for (token, text) in [(one, "a"), (two, "b")] {
            _ = try await app.send(["method": "show", "token": token, "parameters": ["q": .string(text)]])
        }
        #expect(names(try await app.send(["method": "rows", "token": one])) == ["a0", "a1"])
        #expect(names(try await app.send(["method": "rows", "token": two])) == ["b0", "b1"])
    }

    @Test func `What can't be a query is refused, and what can't be a row fails`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        let long = JSONValue.string(String(repeating: "x", count: 5000))
        let refusal = "The query of the table \"rows\" must be an object of at most 4096 bytes."
        let response = try await app.send(["method": "show", "token": token, "parameters": ["q": long]])
        #expect(response.label == refusal)
        #expect(response["rc"] == 5)
        #expect(
            try await app.send(["method": "showList", "token": token]).label
                == "The query of the table \"list\" must be an object of at most 4096 bytes."
        )
        #expect(try await app.send(["method": "other", "token": token])["rc"] == 5)
        #expect(try await app.send(["method": "numbers", "token": token])["rc"] == 6)
    }
}
