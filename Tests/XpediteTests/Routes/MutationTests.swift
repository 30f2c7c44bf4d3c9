import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import Xpedite

/// Mutated packets and pages: each packet gets a response, and nothing traps.
@Suite(.timeLimit(.minutes(5))) struct MutationTests {
    private static let tokens = [
        #"{"#, #"["#, #"""#, "null", "true", "-1", "1e999", "\\u0000", #""method""#, #""parameters":"#,
        #""formdata":{"#,
        #""offset":9223372036854775807"#, #""selected":"#, #""type":"form","#, #""components":[["#, #""shade%":1e300"#,
    ]
    .map { Array($0.utf8) }

    private struct Entry: Decodable {
        var name: String
        var count: Int?
        var day: Day?
    }

    @Test func `Mutated packets are answered`() async throws {
        let app = try TestApp { app in
            app.connect { _ in page { table("rows") } }
            app.method("form") { _ in
                page {
                    form(id: "f") {
                        textbox(name: "name").title("Name")
                        date(name: "day")
                        select(name: "s", options: ["a": "A"])
                    }
                    .save("save")
                }
            }
            app.method("save", Entry.self, form: "f") { entry, _ in page { label(entry.name) } }
            app.method("view", Entry.self, selected: "name") { entry, _ in page { label(entry.name) } }
            app.table("rows") { offset, _, _ in offset == 0 ? [["a": 1]] : [] }
        }
        let token = try await app.connect()
        _ = try await app.send(["method": "form", "token": .string(token)])
        let packets = [
            #"{"method":"setConnection","bundleID":"b","uuid":"u","bounds":"1x2","xpediteVersion":1}"#,
            #"{"method":"save","token":"\#(token)","formdata":{"f":{"name":"a","day":"1990-06-15","s":"a","count":"1"}}}"#,
            #"{"method":"view","token":"\#(token)","parameters":{"name":"a"},"selected":"b"}"#,
            #"{"method":"rows","token":"\#(token)","parameters":{"offset":20}}"#,
        ]
        var mutator = Mutator(random: SeededGenerator(seed: 7), tokens: Self.tokens)
        for round in 0..<1200 {
            let bytes = mutator.mutate(Array(packets[round % packets.count].utf8))
            let url = try HTTPURL("http://localhost/xpedite")
            let response = try await app.transport.response(
                to: ClientRequest(.post, url, body: bytes),
                limits: ClientLimits()
            )
            let result = try JSONValue(parsing: response.body)
            guard response.status == .ok, result["rc"]?.number != nil else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)) gets \(response.status) \(result)")
                continue
            }
        }
    }

    @Test func `Mutated pages are judged`() {
        var mutator = Mutator(random: SeededGenerator(seed: 8), tokens: Self.tokens)
        let facts = XpediteFacts(methods: [], images: [], navigations: [])
        let examples = Example.all.map(\.json).filter { $0.contains(#""type""#) }
        for round in 0..<4000 {
            let json = #"{"rc":0,"components":[\#(examples[round % examples.count])]}"#
            guard let value = try? JSONValue(parsing: mutator.mutate(Array(json.utf8))) else { continue }
            _ = XpediteRules.findings(in: value, name: "p", facts: facts)
        }
    }
}
