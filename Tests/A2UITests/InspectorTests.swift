import A2UI
import Backlot
import Testing

/// The findings for a server's messages, and the vocabulary that names their parts.
@Suite(.timeLimit(.minutes(1))) struct InspectorTests {
    static let open = """
        {"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"\(Catalog.basic0_9.id)"}}
        """

    /// Messages that show some components.
    private static func list(_ components: String, model: String = "{}") -> String {
        """
        [\(open),{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":\(model)}},
         {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\(components)]}}]
        """
    }

    /// An update of 1.0 with a value as the argument of a check, where any value may stand.
    private static func required(_ value: String) -> String {
        """
        {"version":"1.0","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"CheckBox","label":"Yes",\
        "value":{"@path":"/yes"},"@checks":[{"condition":{"@call":"required","args":{"value":\(value)}}}]}]}}
        """
    }
    private static let argument = "/updateComponents/components/0/@checks/0/condition/args/value"

    private static let text = #"{"id":"root","component":"Text","text":"Hello"}"#

    private func findings(_ body: String, _ inspector: A2UIInspector = A2UIInspector()) -> [Finding] {
        inspector.findings(inBody: Array(body.utf8), path: "/", app: nil)
    }

    /// Messages, and the severity, rule and pointer of each finding.
    @Test(
        arguments: [
            (list(text), []),
            (open + "\n" + #"{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}"# + "\n", []),
            ("data: \(open)\nid: 1\n\ndata: {\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}\n\n", []),
            (#"{"name":"an example","messages":\#(list(text))}"#, []),
            ("{bad", ["error not-json "]),
            ("[]", []),
            (#"[{"version":"v7","deleteSurface":{"surfaceId":"s"}}]"#, ["error invalid-value /0/version"]),
            (#"{"messages":[{"version":"v0.9"}]}"#, ["error missing-field /messages/0"]),
            (
                #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}"#,
                ["error unknown-catalog /createSurface/catalogId"]
            ),
            ("[\(open),\(open)]", ["error duplicate-surface /1/createSurface"]),
            (open, ["warning empty-surface /createSurface"]),
            (
                list(#"{"id":"root","component":"Txt","text":"x"}"#),
                ["error unrecognized-component /2/updateComponents/components/0/component"]
            ),
            (
                list(#"{"id":"root","component":"Text","texts":"x"}"#),
                ["error missing-field /2/updateComponents/components/0/text"]
            ),
            (list(#"{"id":"a","component":"Text","text":"x"}"#), ["error missing-root /0/createSurface"]),
            (
                list(#"{"id":"root","component":"Card","child":"a"}"#),
                ["error dangling-reference /0/createSurface"]
            ),
            (list(text + #",{"id":"a","component":"Text","text":"x"}"#), ["warning orphan /0/createSurface"]),
            (
                list(#"{"id":"root","component":"TextField","label":"Name","value":"x"}"#),
                ["warning unbound-input /2/updateComponents/components/0/value"]
            ),
            (
                list(#"{"id":"root","component":"CheckBox","label":"Yes","value":{"path":"/yes"}}"#),
                []
            ),
            (
                list(#"{"id":"root","component":"Text","text":"Hi ${/name}"}"#),
                ["warning plain-expression /2/updateComponents/components/0/text"]
            ),
            (
                list(#"{"id":"root","component":"DateTimeInput","value":{"path":"/day"}}"#),
                ["warning no-date-or-time /2/updateComponents/components/0/enableDate"]
            ),
            (
                list(#"{"id":"root","component":"Slider","value":{"path":"/n"},"min":3,"max":3}"#),
                ["warning empty-range /2/updateComponents/components/0/max"]
            ),
            (
                list(
                    #"{"id":"root","component":"Card","child":"a"},{"id":"a","component":"Text","text":"x","weight":1}"#
                ),
                ["warning ignored-weight /2/updateComponents/components/1/weight"]
            ),
            (list(#"{"id":"root","component":"Text","text":{"path":"/note"}}"#, model: #"{"name":"Ada"}"#), []),
            (
                list(#"{"id":"root","component":"Text","text":{"path":"/nam"}}"#, model: #"{"name":"Ada"}"#),
                ["warning unknown-path /2/updateComponents/components/0/text"]
            ),
            (
                list(
                    #"""
                    {"id":"root","component":"Column","children":{"componentId":"a","path":"/name"}},
                    {"id":"a","component":"Text","text":"x"}
                    """#,
                    model: #"{"name":"Ada"}"#
                ),
                ["warning type-mismatch /0/createSurface"]
            ),
            (
                #"{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a","value":null}}"#,
                ["warning null-value /updateDataModel/value"]
            ),
            (
                list(#"{"id":"root","component":"Text","text":{"path":"/a~2b"}}"#),
                ["error invalid-pointer /2/updateComponents/components/0/text"]
            ),
            (
                list(#"{"id":"root","component":"Row","children":{"componentId":"a","path":"/a~"}}"#),
                ["error invalid-pointer /2/updateComponents/components/0/children"]
            ),
            (
                #"{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a~b","value":1}}"#,
                ["error invalid-pointer /updateDataModel/path"]
            ),
            (#"{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a~0~1b","value":1}}"#, []),
            (required(#"{"a":{"@b":1}}"#), ["error extra-field \(argument)/a/@b"]),
            (required(#"{"a":{"@@b":1}}"#), []),
            (required(#"[{"@path":7}]"#), ["error type-mismatch \(argument)/0/@path"]),
            // An update alone is judged by its components, and not as a whole surface.
            (#"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\#(text)]}}"#, []),
            (
                #"{"version":"1.0","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"Text"}]}}"#,
                ["error missing-field /updateComponents/components/0/text"]
            ),
        ]
    )
    func `Findings name the rule and the part`(body: String, expected: [String]) {
        let found = findings(body).map { "\($0.severity) \($0.rule) \($0.path.pointer)" }
        #expect(found == expected)
    }

    @Test func `The steps of a finding are its message and its component`() {
        let found = findings(Self.list(#"{"id":"root","component":"Text","text":7}"#))
        #expect(found.map(\.path.steps) == [["message #3", #"updateComponents "s""#, #"Text "root""#]])
    }

    /// The paths of all objects for each finding would take longer than the time limit.
    @Test func `Many components may have a finding each`() throws {
        let ids = (0..<10_000).map { "t\($0)" }
        let fields = ids.map { #"{"id":"\#($0)","component":"TextField","label":"x","value":"y"}"# }
        let children = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let root = #"{"id":"root","component":"Column","children":[\#(children)]}"#
        let found = findings(Self.list(([root] + fields).joined(separator: ",")))
        #expect(found.map(\.rule) == Array(repeating: "unbound-input", count: 10_000))
        #expect(found.last?.path.steps == ["message #3", #"updateComponents "s""#, #"TextField "t9998""#])
        #expect(found.last?.path.pointer == "/2/updateComponents/components/9999/value")
    }

    @Test func `A catalog of one's own knows its components`() throws {
        let body = Self.list(#"{"id":"root","component":"Gauge","level":0.5}"#).replacing(
            Catalog.basic0_9.id,
            with: "own"
        )
        let gauge = Catalog.Component("Gauge", "A gauge.", properties: [Property("level", .number, "The level.")])
        let catalog = try Catalog("own", version: .v0_9, components: [gauge])
        #expect(findings(body).map(\.rule).first == "unknown-catalog")
        #expect(findings(body, A2UIInspector(catalogs: [catalog])).isEmpty)
        let update = """
            {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"Gauge","level":"x"}]}}
            """
        #expect(findings(update, A2UIInspector(catalogs: [catalog])).map(\.rule) == ["type-mismatch"])
    }

    @Test func `Its responses are recognised`() throws {
        let a2ui = AppProtocol.a2ui
        for body in [Self.open, Self.list(Self.text), #"{"messages":[\#(Self.open)]}"#] {
            #expect(a2ui.recognises(try JSONValue(parsing: body)))
        }
        for body in ["[]", "{}", #"{"version":"v0.9"}"#, #"[{"version":"v7","deleteSurface":{"surfaceId":"s"}}]"#] {
            #expect(!a2ui.recognises(try JSONValue(parsing: body)))
        }
    }

    /// Every component of the tables is in the vocabulary, with the keys of each version for the clients of that version.
    @Test(arguments: [ProtocolVersion.v0_9, .v1_0October, .v1_0])
    func `The vocabulary has the catalog's components`(version: ProtocolVersion) {
        let audience = A2UIVocabulary.audience(of: version)
        for component in Catalog.basicComponents(version) {
            let kind = A2UIVocabulary.all.kind(component.name, as: A2UIVocabulary.component)
            let keys = Set((kind?.keys ?? []).filter { $0.support.overlaps(audience) }.map(\.name))
            var expected = Set(component.properties.map(\.name) + ["id"])
            let mark = version == .v1_0 ? "@" : ""
            expected.insert("\(mark)accessibility")
            if component.isCheckable { expected.insert("\(mark)checks") }
            if version.isOne { expected.formUnion(["\(mark)catalogId", "\(mark)metadata"]) }
            #expect(keys == expected, "\(component.name)")
        }
    }
}
