import A2UI
import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import A2UIServing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Messages as Swift code. The code stands here too, so that it is compiled, and what it serves is compared with the messages.
@Suite(.timeLimit(.minutes(1))) struct SurfaceSourceTests {
    private static let messages = #"""
        [{"version":"v0.9","createSurface":{"surfaceId":"visit","catalogId":"CATALOG","sendDataModel":true}},
         {"version":"v0.9","updateDataModel":{"surfaceId":"visit","value":
           {"name":"","isNew":false,"doctor":["ito"],"pain":2,"slots":[{"id":"s1","time":"9:30"}],"place":{"city":"Bern"},"day":""}}},
         {"version":"v0.9","updateComponents":{"surfaceId":"visit","components":[
           {"id":"root","component":"Column","align":"stretch",
            "children":["title","city","name","new","doctor","pain","day","slots","tabs","help","web","book"]},
           {"id":"title","component":"Text","text":"Book a \"visit\"","variant":"h2"},
           {"id":"city","component":"Text","weight":1,"text":{"call":"formatString","args":
             {"value":"In ${/place/city}: ${pluralize(value: /pain, one: 'one', other: 'many')} \\${x}"}}},
           {"id":"name","component":"TextField","label":"Name","value":{"path":"/name"},"checks":[
             {"condition":{"call":"required","args":{"value":{"path":"/name"}}},"message":"Please."}]},
           {"id":"new","component":"CheckBox","label":"First visit","value":{"path":"/isNew"}},
           {"id":"doctor","component":"ChoicePicker","label":"Doctor","value":{"path":"/doctor"},"displayStyle":"chips",
            "options":[{"label":"Dr Ito","value":"ito"},{"label":"Dr Bell","value":"bell"}]},
           {"id":"pain","component":"Slider","value":{"path":"/pain"},"min":0,"max":10},
           {"id":"day","component":"DateTimeInput","label":"Day","value":{"path":"/day"},"enableDate":true},
           {"id":"slots","component":"List","children":{"componentId":"slot","path":"/slots"}},
           {"id":"slot","component":"Row","children":["time","take"]},
           {"id":"time","component":"Text","text":{"path":"time"}},
           {"id":"take","component":"Button","child":"take_text","variant":"primary","action":{"event":{"name":"take",
             "context":{"slot":{"path":"id"},"isNew":{"path":"/isNew"}}}}},
           {"id":"take_text","component":"Text","text":"Take"},
           {"id":"tabs","component":"Tabs","tabs":[{"title":"Here","child":"here"},{"title":"There","child":"there"}]},
           {"id":"here","component":"Text","text":"Here"},
           {"id":"there","component":"Card","child":"there_text"},
           {"id":"there_text","component":"Text","text":"There"},
           {"id":"help","component":"Modal","trigger":"help_text","content":"help_more"},
           {"id":"help_text","component":"Text","text":"Help"},
           {"id":"help_more","component":"Divider","axis":"vertical"},
           {"id":"web","component":"Button","child":"icon","action":
             {"functionCall":{"call":"openUrl","args":{"url":"https://example.com"}}}},
           {"id":"icon","component":"Icon","name":"home"},
           {"id":"book","component":"Button","child":"book_text","action":{"event":{"name":"book"}}},
           {"id":"book_text","component":"Text","text":"Book"}]}}]
        """#.replacing("CATALOG", with: Catalog.basic0_9.id)

    /// The code that the messages become.
    private static func golden(_ app: A2UIApp) {
        // golden
        struct TakeContext: Codable, Sendable {
            var slot = ""
            var isNew = false
        }

        struct VisitModel: Codable, Sendable {
            struct Slots: Codable, Sendable {
                var id = "s1"
                var time = "9:30"
            }
            struct Place: Codable, Sendable {
                var city = "Bern"
            }
            var name = ""
            var isNew = false
            var doctor = ["ito"]
            var pain = 2
            var slots = [Slots(id: "s1", time: "9:30")]
            var place = Place(city: "Bern")
            var day = ""
        }

        let take = SurfaceAction<TakeContext>("take")
        let book = SurfaceAction<NoContext>("book")

        let visit = app.surface("visit") { _ in
            VisitModel()
        } tree: { m in
            column(align: .stretch) {
                text("Book a \"visit\"", .h2)
                text("In \(m.place.city): \(Dynamic<String>.plural(m.pain, one: "one", other: "many")) ${x}").weight(1)
                textField("Name", value: m.name).check(.required(m.name), "Please.")
                checkBox("First visit", value: m.isNew)
                choicePicker("Doctor", value: m.doctor, options: ["ito": "Dr Ito", "bell": "Dr Bell"], .chips)
                slider(value: m.pain, 0...10)
                dateTimeInput("Day", value: m.day, .date)
                list(m.slots) { item in
                    row {
                        text(item.time)
                        button(
                            "Take",
                            take.event {
                                $0.slot = item.id; $0.isNew = m.isNew
                            },
                            .primary
                        )
                    }
                }
                tabs(
                    ("Here", text("Here")),
                    (
                        "There",
                        card {
                            text("There")
                        }
                    )
                )
                modal {
                    text("Help")
                } content: {
                    divider(.vertical)
                }
                button(.openURL("https://example.com")) {
                    icon("home")
                }
                button("Book", book.event())
            }
        }
        visit.on(take) { _, turn in }
        visit.on(book) { _, turn in }
        // end
    }

    /// Names that the code has already, or that are words of Swift.
    private static let words = #"""
        [{"version":"v0.9","createSurface":{"surfaceId":"default","catalogId":"CATALOG","sendDataModel":true}},
         {"version":"v0.9","updateDataModel":{"surfaceId":"default","value":{"class":"","type":{"in":false}}}},
         {"version":"v0.9","updateComponents":{"surfaceId":"default","components":[
           {"id":"root","component":"Column","children":["class","in","go","again","all"]},
           {"id":"class","component":"TextField","label":"Class","value":{"path":"/class"}},
           {"id":"in","component":"CheckBox","label":"In","value":{"path":"/type/in"}},
           {"id":"go","component":"Button","child":"go_text","action":{"event":{"name":"continue",
             "context":{"class":{"path":"/class"},"item-id":"7"}}}},
           {"id":"go_text","component":"Text","text":"Go"},
           {"id":"again","component":"Button","child":"again_text","action":{"event":{"name":"default"}}},
           {"id":"again_text","component":"Text","text":"Again"},
           {"id":"all","component":"Button","child":"all_text","action":{"event":{"name":"list"}}},
           {"id":"all_text","component":"Text","text":"All"}]}}]
        """#.replacing("CATALOG", with: Catalog.basic0_9.id)

    /// The code that these messages become.
    private static func wordsGolden(_ app: A2UIApp) {
        // golden words
        struct ContinueActionContext: Codable, Sendable {
            var `class` = ""
        }

        struct DefaultModel: Codable, Sendable {
            struct TypeValue: Codable, Sendable {
                var `in` = false
            }
            var `class` = ""
            var type = TypeValue(in: false)
        }

        let continueAction = SurfaceAction<ContinueActionContext>("continue")
        let defaultAction = SurfaceAction<NoContext>("default")
        let listAction = SurfaceAction<NoContext>("list")

        let defaultSurface = app.surface("default") { _ in
            DefaultModel()
        } tree: { m in
            column {
                textField("Class", value: m.`class`)
                checkBox("In", value: m.type.`in`)
                button(
                    "Go",
                    continueAction.event {
                        $0.`class` = m.`class`
                    }
                )
                button("Again", defaultAction.event())
                button("All", listAction.event())
            }
        }
        defaultSurface.on(continueAction) { _, turn in }
        defaultSurface.on(defaultAction) { _, turn in }
        defaultSurface.on(listAction) { _, turn in }
        // end
    }

    @Test func `Messages become the code that serves them`() async throws {
        let messages = try JSONValue(parsing: Self.messages)
        let source = try SurfaceSource.source(of: ["name": "visit", "messages": messages])
        let golden = try code("golden")
        // The formatter breaks lines elsewhere.
        #expect(source.text.filter { !$0.isWhitespace } == golden.filter { !$0.isWhitespace })
        #expect(source.omissions == [])
        let original = try shape(messages, "visit")
        #expect(try await served("visit", Self.golden) == original)
    }

    @Test func `Names that the code can't have get others, and properties keep theirs`() async throws {
        let messages = try JSONValue(parsing: Self.words)
        let source = try SurfaceSource.source(of: messages)
        let golden = try code("golden words") + "// /go: the context's key \"item-id\" has no form in Swift"
        #expect(source.text.filter { !$0.isWhitespace } == golden.filter { !$0.isWhitespace })
        #expect(source.omissions.map(\.pointer) == ["/go"])
        let original = try shape(messages, "default")
        #expect(try await served("default", Self.wordsGolden) == original)
    }

    /// The code of this file after a comment, until the end of that code.
    private func code(_ comment: String) throws -> String {
        let file = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let rest = file.split(separator: "        // \(comment)\n").last
        return String(try #require(rest?.split(separator: "        // end\n").first))
    }

    /// The surface that code serves, as clients show it.
    private func served(_ name: String, _ register: (A2UIApp) -> Void) async throws -> String {
        let router = Router()
        router.a2ui("/") { register($0) }
        let handler = router.handler()
        let response = try await handler(try Request(.get, "/surfaces/\(name)"))
        guard case .bytes(let body) = response.body else { throw SourceError() }
        return try shape(try JSONValue(parsing: body), name)
    }

    private struct SourceError: Error {}

    /// The surface as clients show it, without ids.
    private func shape(_ messages: JSONValue, _ surface: String) throws -> String {
        var client = Processor()
        #expect(client.apply(messages).isEmpty)
        let tree = try #require(client.nodes(of: surface))
        func text(_ value: Node.Value) -> String {
            switch value {
            case .value(.number(let number)?, let path): "\(number.double) \(path.map { "\($0)" } ?? "")"
            case .value(let value, let path): "\(value ?? .null) \(path.map { "\($0)" } ?? "")"
            case .node(let path): tree.nodes[path].map(node) ?? "?"
            case .list(let list): "[\(list.map(text).joined(separator: ", "))]"
            case .object(let object): "{\(object.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" })}"
            case .action: "action"
            }
        }
        func node(_ node: Node) -> String {
            let properties = node.properties.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
            let failures = client.failures(of: node, on: surface).map { $0.message ?? "" }
            return "\(node.component?.type ?? "?")(\(properties.joined(separator: ", ")), \(failures))"
        }
        return try node(#require(tree.nodes["root"]))
    }

    /// Messages without a surface, and the reason.
    @Test(
        arguments: [
            ("[]", "makes no surface"), (#"[{"version":"v7"}]"#, "is wrong"),
            (
                #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"\#(Catalog.basic0_9.id)"}}"#,
                "makes no surface"
            ),
        ]
    )
    func `Messages without a surface are refused`(messages: String, problem: String) throws {
        let document = try JSONValue(parsing: messages)
        let error = #expect(throws: DocumentError.self) { try SurfaceSource.source(of: document) }
        #expect(error?.problem.contains(problem) == true)
    }

    @Test func `What Swift can't write is named`() throws {
        let messages = Self.messages.replacing(#"{"path":"time"}"#, with: #"{"path":"/slots/0/time"}"#)
            .replacing(#""component":"Divider""#, with: #""component":"Ruler""#)
        let source = try SurfaceSource.source(of: try JSONValue(parsing: messages))
        #expect(source.omissions.map(\.pointer) == ["/time", "/help_more"])
        #expect(source.text.contains("\n// /time: the path \"/slots/0/time\" has no form in Swift\n"))
    }
}
