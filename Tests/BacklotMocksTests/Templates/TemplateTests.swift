import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

struct TemplateTests {
    private func render(_ template: String, isJSON: Bool = true, seed: UInt64 = 1) throws -> String {
        let host = try #require(HTTPField.Name("Host"))
        let request = try MockRequest(
            .post,
            "/things/7?q=a%20b&n=1&n=2",
            headers: [.cookie: "c=\"v\"", .userAgent: "tests\"1\"", host: "example.com:80"],
            body: Array(#"{"name":"Ann \"A\"\n","agree":true,"n":1.5,"list":[{"x":1},{"x":2}],"none":null}"#.utf8)
        )
        let context = TemplateContext(
            request: request,
            pathParameters: ["id": "7"],
            user: "bob",
            sources: TemplateSources(seed: seed)
        )
        let body = try #require(try BodyTemplate(template, isJSON: isJSON))
        return String(decoding: body.bytes(context), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"a":"{{path.id}}"}"#, #"{"a":"7"}"#),
        (#"{"a":"x{{variables.name}}y"}"#, #"{"a":"xAnn \"A\"\ny"}"#),
        (#"{"a":"{{ variables.missing }}"}"#, #"{"a":""}"#),
        (#"{"a":{{variables.agree}}}"#, #"{"a":true}"#),
        (#"{"a":{{variables.name}}}"#, #"{"a":"Ann \"A\"\n"}"#),
        (#"{"a":{{variables.missing}}}"#, #"{"a":null}"#),
        (#"{"a":"{{{variables.agree}}}","b":"{{{variables.list}}}"}"#, #"{"a":true,"b":[{"x":1},{"x":2}]}"#),
        (#"{"a":"is {{{variables.n}}}"}"#, #"{"a":"is 1.5"}"#),
        (#"{"a":"{{variables.list.1.x}}"}"#, #"{"a":"2"}"#),
        (#"{"a\"{{path.id}}":1}"#, #"{"a\"7":1}"#),
        (#"{"a":"{{query.q}} {{query.n}} {{request.query.n.1}}"}"#, #"{"a":"a b 1 2"}"#),
        (#"{"a":"{{headers.User-Agent}} {{cookies.c}} {{session.user}}"}"#, #"{"a":"tests\"1\" v bob"}"#),
        (
            #"{"a":"{{request.method}} {{request.path}} {{request.url}}"}"#,
            #"{"a":"POST /things/7 /things/7?q=a%20b&n=1&n=2"}"#
        ),
        (
            #"{"a":"{{request.pathSegments.[0]}} {{request.path.[1]}} {{request.host}}"}"#,
            #"{"a":"things 7 example.com"}"#
        ),
        (#"{"a":"{{request.body.name}}"}"#, #"{"a":"Ann \"A\"\n"}"#),
        (#"{"a":{{counter}},"b":{{counter}},"c":{{counter.x}}}"#, #"{"a":1,"b":2,"c":1}"#),
        (#"[{{#variables.list}}{{x}},{{/variables.list}}0]"#, "[1,2,0]"),
        (
            #"["{{#variables.agree}}{{variables.name}}{{/variables.agree}}{{^variables.none}}-{{/variables.none}}"]"#,
            #"["Ann \"A\"\n-"]"#
        ),
        (#"{"a":"{{uppercased(path.id)}}{{#session.user}}{{session.user}}{{/session.user}}"}"#, #"{"a":"7bob"}"#),
        (
            #"{"a":{{#query.q}}1{{/query.q}},"b":"{{counter}}{{counter}}{{#headers.User-Agent}}u{{/headers.User-Agent}}"}"#,
            #"{"a":1,"b":"12u"}"#
        ),
    ])
    func `A template is filled in, and stays JSON`(template: String, expected: String) throws {
        let text = try render(template)
        #expect(text == expected)
        _ = try JSONValue(parsing: text)
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
        #expect(DateTimePattern.seconds(now) == values[2].number?.double)
        #expect(values[3].number?.int64.map { $0 / 1000 } == values[2].number?.int64)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_709_251_199, "2024-02-29T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ])
    func `Seconds are written as ISO 8601`(seconds: Int, text: String) {
        #expect(ISO8601Text.of(seconds: seconds) == text)
        #expect(DateTimePattern.seconds(text) == Double(seconds))
    }

    @Test(arguments: [
        "{{pth.id}}", "{{path}}", "{{now.year}}", "{{request.pth}}", "{{session.id}}", "{{> other}}",
        "{{#variables.a}}",
        "{{variables.a", "{{{variables.a}}",
    ])
    func `A template that can't be filled in is refused`(template: String) {
        #expect(throws: TemplateMistake.self) { try BodyTemplate("{\"a\":\"\(template)\"}", isJSON: true) }
    }
}
