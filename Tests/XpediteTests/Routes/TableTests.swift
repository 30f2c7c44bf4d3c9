import Backlot
import Testing

@testable import Xpedite

/// Rows come batch by batch, and the client says from where on.
@Suite(.timeLimit(.minutes(5))) struct TableTests {
    /// A source that makes its rows on demand, and records the requested offsets and limits.
    private struct Numbers: TableSource {
        let count: Int
        let asked = Locked<[[Int]]>([])

        func rows(offset: Int, limit: Int, for call: Call) async throws -> [TableRow] {
            asked.withLock { $0.append([offset, limit]) }
            return (offset..<max(offset, min(count, offset + limit))).map { ["n": .number(JSONNumber(Int64($0)))] }
        }
    }

    private func makeApp(
        _ source: some TableSource,
        configuration: XpediteConfiguration = XpediteConfiguration()
    ) throws -> TestApp {
        try TestApp(configuration: configuration) { app in
            app.connect { _ in page { table("numbers") } }
            app.table("numbers", batch: 10, source)
        }
    }

    @Test(arguments: [
        (0, 25, 10, true), (10, 25, 10, true), (20, 25, 5, false), (25, 25, 0, false), (99, 25, 0, false),
        (0, 10, 10, false), (0, 11, 10, true), (0, 0, 0, false), (1, 11, 10, false),
    ])
    func `A batch has its rows, and max if there are more`(
        offset: Int,
        count: Int,
        rows: Int,
        hasMore: Bool
    ) async throws {
        let app = try makeApp(Numbers(count: count))
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(
            ["method": "numbers", "token": token, "parameters": ["offset": .number(JSONNumber(Int64(offset)))]]
        )
        #expect(response["rc"] == 0)
        #expect(response["token"] == token)
        #expect(response["components"] == nil)
        #expect(response["data"]?.array?.count == rows)
        #expect(response["max"] == (hasMore ? 10 : nil))
        if rows > 0 { #expect(response["data"]?[0]?["n"]?.number?.int64 == Int64(offset)) }
    }

    @Test(arguments: [
        #""offset":20"#, #""start":20"#, #""skip":20"#, #""parameters":{"offset":20}"#, #""parameters":{"skip":"20"}"#,
        #""parameters":{"start":20},"start":5"#,
    ])
    func `The client may say in several ways how many rows it has`(json: String) async throws {
        let app = try makeApp(Numbers(count: 100))
        let token = try await app.connect()
        let response = try await app.send(#"{"method":"numbers","token":"\#(token)",\#(json)}"#)
        #expect(response["data"]?[0]?["n"] == 20)
    }

    @Test(arguments: [
        #""offset":-1"#, #""offset":1.5"#, #""offset":"x""#, #""offset":1e30"#, #""offset":[]"#,
        #""offset":9223372036854775807"#,
    ])
    func `An offset that is none is refused`(json: String) async throws {
        let app = try makeApp(Numbers(count: 100))
        let token = try await app.connect()
        let response = try await app.send(#"{"method":"numbers","token":"\#(token)",\#(json)}"#)
        #expect(response["rc"] == 1)
        #expect(response.label == "The value 'offset' must be a whole number, 0 or more.")
    }

    @Test func `The server keeps no cursor`() async throws {
        let app = try makeApp(Numbers(count: 100))
        let token = JSONValue.string(try await app.connect())
        for _ in 0..<3 {
            #expect(try await app.send(["method": "numbers", "token": token])["data"]?[0]?["n"] == 0)
        }
    }

    @Test func `A million rows are asked for no more of than a hundred`() async throws {
        for count in [100, 1_000_000] {
            let source = Numbers(count: count)
            let app = try makeApp(source)
            let token = JSONValue.string(try await app.connect())
            for offset: Int64 in [0, Int64(count) / 2] {
                let packet: JSONObject = ["method": "numbers", "token": token, "offset": .number(JSONNumber(offset))]
                #expect(try await app.send(packet)["data"]?.array?.count == 10)
            }
            #expect(source.asked.withLock { $0 } == [[0, 11], [count / 2, 11]])
        }
    }

    @Test func `What max says, the key and the rest can be set`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.max = .rowsSoFar
        configuration.readings.offsetKeys = ["from"]
        configuration.readings.dataHasToken = false
        configuration.readings.dataHasComponents = true
        let app = try makeApp(Numbers(count: 100), configuration: configuration)
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": "numbers", "token": token, "from": 20, "offset": 50])
        #expect(response["data"]?[0]?["n"] == 20)
        #expect(response["max"] == 30)
        #expect(response["token"] == nil)
        #expect(response["components"] == [])
    }
}
