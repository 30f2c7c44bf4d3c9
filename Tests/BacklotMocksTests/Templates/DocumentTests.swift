import BacklotJSON
import TestSupport
import Testing

@testable import BacklotMocks

/// Documents whose keys repeat and choose what stands under them.
@Suite(.timeLimit(.minutes(5))) struct DocumentTests {
    private static let cart: [String: JSONValue] = [
        "cart": [["name": "Tea \"hot\"", "price": 2.5], ["name": "Cake", "price": 4]], "none": [],
        "user": ["name": "Ann"],
    ]

    @Test(
        arguments: cases(
            #"""
            {"widgets":[{"typ":"text","text":"a"},{"{{#each data.cart}}":{"typ":"text","text":"{{name}}"}}]} → {"widgets":[{"typ":"text","text":"a"},{"typ":"text","text":"Tea \"hot\""},{"typ":"text","text":"Cake"}]}
            [{"{{#each data.none}}":{"a":1}},2] → [2]
            [{"{{#each data.none}}":1,"{{else}}":"none"}] → ["none"]
            [{"{{#each data.cart}}":["{{name}}","{{{price}}}"]},0] → ["Tea \"hot\"",2.5,"Cake",4,0]
            [{"{{#each data.cart as |item i|}}":{"n":"{{{i}}}","of":"{{item.name}}"}}] → [{"n":0,"of":"Tea \"hot\""},{"n":1,"of":"Cake"}]
            [{"{{#if data.user}}":{"a":1},"{{else}}":{"b":2}},{"{{#unless data.user}}":3}] → [{"a":1}]
            {"a":1,"{{#if data.user}}":{"b":2},"c":3} → {"a":1,"b":2,"c":3}
            {"{{#if data.x}}":{"b":2},"c":3} → {"c":3}
            {"{{#if data.x}}":{"b":2},"{{else if data.user}}":{"b":3},"{{else}}":{"b":4},"c":3} → {"b":3,"c":3}
            {"{{#each data.cart}}":{"{{name}}":"{{{price}}}"}} → {"Tea \"hot\"":2.5,"Cake":4}
            [{"{{#each data.cart}}":{"{{#if @first}}":{"first":true},"n":"{{name}}"}}] → [{"first":true,"n":"Tea \"hot\""},{"n":"Cake"}]
            [{"{{#each data.cart}}":[{"{{#unless @first}}":"-"},"{{name}}"]}] → ["Tea \"hot\"","-","Cake"]
            [{"{{#with data.user}}":"{{name}}"},{"{{#data.cart}}":"{{name}}"},{"{{^data.none}}":"no"}] → ["Ann","Tea \"hot\"","Cake","no"]
            {"total":"{{{sum data.cart 'price'}}}","text":"{{#each data.cart}}{{name}},{{/each}}","{{path.id}}":null} → {"total":6.5,"text":"Tea \"hot\",Cake,","7":null}
            {"a":"{","b":["[",{"{{#if true}}":"x"}]} → {"a":"{","b":["[","x"]}
            """#
        )
    )
    func `Members and elements are repeated and chosen`(document: String, expected: String) throws {
        let filling = Filling(data: Self.cart)
        let text = try filling.text(of: JSONValue(parsing: document))
        #expect(text == expected)
        _ = try JSONValue(parsing: text)
    }

    @Test func `Each block is judged with and without its parts`() throws {
        let document = try JSONValue(parsing: #"[{"{{#each data.cart}}":"{{name}}","{{else}}":"{{{data.x}}}"}]"#)
        let samples = try Template(document: document, dialect: .own).samples()
        #expect(samples.map { String(decoding: $0, as: UTF8.self) } == [#"["{{name}}"]"#, "[null]"])
    }

    @Test(
        arguments: triples(
            #"""
            a.page.yaml → page:⏎  typ: nav_page⏎  title: A⏎  widget:⏎    typ: form⏎    widgets:⏎      - "{{#each data.cart}}":⏎          typ: txt⏎          text: "{{name}}"⏎ → a.page.yaml:
            a.get.yaml → jsonBody:⏎  a: {b: "x {{path.id}} {{pth.id}}"}⏎ → a.get.yaml:2:25: {{pth.id}} begins with none of␣
            a.get.yaml → jsonBody:⏎  a: |⏎    one⏎    {{path.id}}⏎    two {{pth.id}}⏎ → a.get.yaml:5:9: {{pth.id}} begins
            a.get.yaml → jsonBody:⏎  a: >⏎    one⏎    {{path.id}}⏎⏎    two {{pth.id}}⏎ → a.get.yaml:6:9: {{pth.id}} begins
            a.get.yaml → jsonBody:⏎  a: "x\n\"{{pth.id}}"⏎ → a.get.yaml:2:12: {{pth.id}} begins
            a.get.yaml → jsonBody:⏎  - "{{#eech data.x}}": 1⏎ → a.get.yaml:2:6: there is no helper 'eech'
            a.get.yaml → jsonBody:⏎  "{{#if data.x}}": 1⏎ → a.get.yaml:2:21: below {{#if data.x}} stand members of the object around it
            a.get.yaml → headers:⏎  X-A: "a {{pth.id}}"⏎ → a.get.yaml:2:11: {{pth.id}} begins
            a.get.yaml → body: "{{#if path.id}}"⏎ → a.get.yaml:1:8: a section has no end; write {{/if}} after it
            a.get.json → {⏎  "a": "{{path.id}}",⏎  "{{#if pth.id}}": {"b": 1}⏎} → a.get.json:3:4: {{pth.id}} begins
            mappings/a.json → {"request": {"url": "/a"}, "response": {"transformers": ["response-template"],⏎"jsonBody": {"a": [1, "\u00e4 {{x}} {{request.boddy}}"]}}} → mappings/a.json:2:37: {{request.boddy}} is not known; after request. write url, path,
            """#
        )
    )
    func `A mistake in a tag is told at its place`(name: String, text: String, message: String) async throws {
        let found = try await problems(name, text).joined(separator: "\n")
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test(
        arguments: cases(
            #"""
            {{xPath request.body '/a/b[1]/text()'}}|{{xPath request.body '/a/b'}}|{{xPath request.body 'count(//b)'}} → x|<b id="1">x</b>|2
            {{#each (xPath request.body '/a/b') as |node|}}{{node.name}}{{node.attributes.id}}{{node.text}};{{/each}}{{size (xPath request.body '//b')}} → b1x;b2y;2
            [{{xPath request.body '/none'}}]{{xPath 'x' '/a'}} → [][ERROR: "x" is not valid XML:␣
            {{soapXPath '<s:Envelope xmlns:s="u"><s:Body><m:a xmlns:m="v"><m:test>yes</m:test></m:a></s:Body></s:Envelope>' '/a/test/text()'}} → yes
            """#
        )
    )
    func `XPath finds parts of a document`(template: String, expected: String) throws {
        let filling = Filling(dialect: .wireMock, body: "<a><b id=\"1\">x</b><b id=\"2\">y</b></a>")
        #expect(try filling.text(template).hasPrefix(expected))
    }

    @Test func `A template that grows without bound is refused`() throws {
        let doubled =
            "{{assign 'x' 'aaaaaaaaaa'}}"
            + String(repeating: "{{#assign 'x'}}{{x}}{{x}}{{x}}{{x}}{{/assign}}", count: 30)
        let ranges =
            "{{#each (range 1 5000)}}{{#each (range 1 5000)}}{{#each (range 1 5000)}}{{/each}}{{/each}}{{/each}}"
        let pads = "{{#each (range 1 5000)}}{{#if (ljust 'a' size=90000)}}{{/if}}{{/each}}"
        let parses = "{{#each (range 1 5000)}}{{#if (parseJson request.body)}}{{/if}}{{/each}}"
        let list = "[" + String(repeating: "1,", count: 20_000) + "1]"
        for template in [doubled, ranges, pads, parses] {
            #expect(throws: TemplateTooLarge(limit: 1_000_000), "\(template.prefix(40))") {
                try Filling(body: list, limit: 1_000_000).text(template)
            }
        }
    }
}
