import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct TemplateTests {
    private func render(
        _ template: String,
        isJSON: Bool = true,
        seed: UInt64 = 1,
        variables: String = #"{"name":"Ann \"A\"\n","agree":true,"n":1.5,"list":[{"x":1},{"x":2}],"none":null}"#,
        limit: Int = 100_000
    ) throws -> String {
        let target = "/things/7?q=a%20b&n=1&n=2"
        return try Filling(isJSON: isJSON, target: target, body: variables, seed: seed, limit: limit).text(template)
    }

    @Test(
        arguments: cases(
            #"""
            {"a":"{{path.id}}"} → {"a":"7"}
            {"a":"x{{variables.name}}y"} → {"a":"xAnn \"A\"\ny"}
            {"a":"{{ variables.missing }}"} → {"a":""}
            {"a":{{variables.agree}}} → {"a":true}
            {"a":{{variables.name}}} → {"a":"Ann \"A\"\n"}
            {"a":{{variables.missing}}} → {"a":null}
            {"a":"{{{variables.agree}}}","b":"{{{variables.list}}}"} → {"a":true,"b":[{"x":1},{"x":2}]}
            {"a":"is {{{variables.n}}}"} → {"a":"is 1.5"}
            {"a":"{{variables.list.1.x}}"} → {"a":"2"}
            {"a\"{{path.id}}":1} → {"a\"7":1}
            {"a":"{{query.q}} {{query.n}} {{request.query.n.1}}"} → {"a":"a b 1 2"}
            {"a":"{{headers.User-Agent}} {{cookies.c}} {{session.user}}"} → {"a":"tests\"1\" v bob"}
            {"a":"{{request.method}} {{request.path}} {{request.url}}"} → {"a":"POST /things/7 /things/7?q=a%20b&n=1&n=2"}
            {"a":"{{request.pathSegments.[0]}} {{request.path.[1]}} {{request.host}}"} → {"a":"things 7 example.com"}
            {"a":"{{request.body.name}}"} → {"a":"Ann \"A\"\n"}
            {"a":{{counter}},"b":{{counter}},"c":{{counter.x}}} → {"a":1,"b":2,"c":1}
            [{{#variables.list}}{{x}},{{/variables.list}}0] → [1,2,0]
            ["{{#variables.agree}}{{variables.name}}{{/variables.agree}}{{^variables.none}}-{{/variables.none}}"] → ["Ann \"A\"\n-"]
            {"a":"{{upper path.id}}{{#session.user}}{{session.user}}{{/session.user}}"} → {"a":"7bob"}
            {"a":{{#query.q}}1{{/query.q}},"b":"{{counter}}{{counter}}{{#headers.User-Agent}}u{{/headers.User-Agent}}"} → {"a":1,"b":"12u"}
            """#
        )
    )
    func `A template is filled in, and stays JSON`(template: String, expected: String) throws {
        let text = try render(template)
        #expect(text == expected)
        _ = try JSONValue(parsing: text)
    }

    @Test(arguments: [
        ("{{#variables.a}}{{.}},{{/variables.a}}", #"{"a":[1,"two",null,true]}"#, "1,two,,true,"),
        ("{{#variables.a}}[{{#.}}{{.}}{{/.}}]{{/variables.a}}", #"{"a":[[1,2],[],[3]]}"#, "[12][][3]"),
        ("{{#variables}}{{a}}{{b.c}}{{b.0}}{{/variables}}", #"{"a":1,"b":{"c":2}}"#, "12"),
        ("{{#variables.a}}{{b}}{{x}}{{.x}};{{/variables.a}}", #"{"a":[{"b":1,"x":2},{"b":3}]}"#, "122;3;"),
        ("{{#variables.o}}{{#i}}{{y}}{{z}}{{.z}}{{/i}}{{/variables.o}}", #"{"o":{"z":1,"i":[{"y":2}]}}"#, "21"),
        ("{{^variables.a}}none{{/variables.a}}{{^variables.b}}none{{/variables.b}}", #"{"a":[],"b":[0]}"#, "none"),
        ("{{^variables.a}}no{{/variables.a}}{{#variables.a}}yes{{/variables.a}}", #"{"a":false}"#, "no"),
        ("{{#variables.a}}zero{{/variables.a}}{{#variables.b}}empty{{/variables.b}}", #"{"a":0,"b":""}"#, "zeroempty"),
        ("{{#variables.a}}{{path.id}}{{session.user}}{{/variables.a}}", #"{"a":[1,2]}"#, "7bob7bob"),
        ("{{! a comment }}{{#request.body.a}}{{.}}{{/request.body.a}}", #"{"a":[1,2]}"#, "12"),
        ("{{#query}}{{q}}{{n}}{{/query}}{{#path}}{{id}}{{/path}}{{#cookies}}{{c}}{{/cookies}}", "{}", "a b17v"),
        ("a\n  {{#variables.a}}\n  {{.}}\n{{/variables.a}} \nb\n", #"{"a":[1,2]}"#, "a\n  1\n  2\nb\n"),
        ("{{#variables.a}}\n{{#variables.a}}\n.\n{{/variables.a}}\n{{/variables.a}}", #"{"a":[1,2]}"#, ".\n.\n.\n.\n"),
        ("x {{#variables.a}}\n{{/variables.a}}y", #"{"a":[1]}"#, "x \ny"),
        ("{{#variables.a}}{{.}}{{/variables.a}}\n{{! alone }}\r\nz", #"{"a":[1]}"#, "1\nz"),
    ])
    func `Sections behave as in Mustache`(template: String, variables: String, expected: String) throws {
        #expect(try render(template, isJSON: false, variables: variables) == expected)
    }

    /// A few bytes of a request may stand for any number of bytes of the answer.
    @Test(arguments: [
        "{{#variables.a}}{{#variables.a}}{{#variables.a}}{{#variables.a}}x{{/variables.a}}{{/variables.a}}{{/variables.a}}{{/variables.a}}",
        // Nothing is written at all, and it would still take for ever.
        "{{#variables.a}}{{#variables.a}}{{#variables.a}}{{#variables.a}}{{/variables.a}}{{/variables.a}}{{/variables.a}}{{/variables.a}}",
        "{{#variables.a}}{{#variables.a}}{{#variables.a}}{{^variables.a}}{{/variables.a}}{{/variables.a}}{{/variables.a}}{{/variables.a}}",
        "{{#variables.a}}{{#variables.a}}{{/variables.a}}{{/variables.a}}",
        "{{#variables.a}}{{#variables.a}}{{{variables.t}}}{{/variables.a}}{{/variables.a}}",
        "{{#variables.a}}{{#variables.a}}{{#if (upper variables.t)}}{{/if}}{{/variables.a}}{{/variables.a}}",
        "{{variables.t}}{{variables.t}}{{variables.t}}{{variables.t}}{{variables.t}}",
        "{{#variables.o}}{{#variables.a}}{{#variables.a}}{{nothing}}{{/variables.a}}{{/variables.a}}{{/variables.o}}",
    ])
    func `A response without bounds is refused before it is made`(template: String) throws {
        let list = String(repeating: "1,", count: 999) + "1"
        let text = String(repeating: "t", count: 20_000)
        let members = (0..<500).map { "\"k\($0)\":1" }.joined(separator: ",")
        let variables = "{\"a\":[\(list)],\"t\":\"\(text)\",\"o\":{\(members)}}"
        for limit in [10_000, 90_000] {
            #expect(throws: TemplateTooLarge(limit: limit)) {
                try render(template, isJSON: false, variables: variables, limit: limit)
            }
        }
    }

    @Test func `What fits is made`() throws {
        let list = String(repeating: "1,", count: 299) + "1"
        let text = try render(
            "{{#variables.a}}{{#variables.a}}{{.}}{{/variables.a}}{{/variables.a}}",
            isJSON: false,
            variables: "{\"a\":[\(list)]}",
            limit: 2_000_000
        )
        #expect(text == String(repeating: "1", count: 90_000))
    }

    @Test func `Texts that are not JSON are not escaped`() throws {
        #expect(try render("<{{variables.name}}>", isJSON: false) == "<Ann \"A\"\n>")
        #expect(
            try render("{{#variables.agree}}<{{variables.name}}>{{/variables.agree}}", isJSON: false) == "<Ann \"A\"\n>"
        )
    }

    @Test func `A seed repeats what is random`() throws {
        let template = #"["{{random.uuid}}",{{random}},{{random.number}},"{{random.word}}"]"#
        let text = try render(template)
        #expect(try render(template) == text)
        #expect(try render(template, seed: 2) != text)
        let uuid = try #require(try JSONValue(parsing: text)[0]?.string)
        #expect(StubID(uuid) != nil)
    }

    @Test func `The time is told in the usual ways`() throws {
        let text = try render(#"["{{now}}","{{now.date}}",{{now.seconds}},{{now.milliseconds}}]"#)
        let values = try #require(try JSONValue(parsing: text).array)
        let now = try #require(values[0].string)
        #expect(now.hasPrefix(try #require(values[1].string)))
        #expect(CivilTime(now)?.utc == values[2].number?.double)
        #expect(values[3].number?.int64.map { $0 / 1000 } == values[2].number?.int64)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_709_251_199, "2024-02-29T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ])
    func `Seconds are written as ISO 8601`(seconds: Int, text: String) {
        #expect(HTTPDate(secondsSince1970: seconds).rfc3339 == text)
        #expect(CivilTime(text)?.utc == Double(seconds))
    }

    @Test(arguments: [
        "{{pth.id}}", "{{path}}", "{{now.year}}", "{{request.pth}}", "{{session.id}}", "{{> other}}",
        "{{#variables.a}}",
        "{{variables.a", "{{{variables.a}}", "{{/variables.a}}", "{{}}", "{{#variables.a}}{{/variables.b}}",
        "{{= < > =}}",
        "{{% CONTENT_TYPE:HTML}}", "{{uper path.id}}", "{{upper (pth.id)}}", "{{upper (path.id}}",
        "{{upper (path.id))}}", "{{a b}}", "{{#}}{{/}}",
        String(repeating: "{{#a}}", count: 33) + String(repeating: "{{/a}}", count: 33),
    ])
    func `A template that can't be filled in is refused`(template: String) {
        #expect(throws: TemplateError.self) { try Template("{\"a\":\"\(template)\"}", isJSON: true) }
    }
}
