import BacklotJSON
import TestSupport
import Testing

@testable import BacklotMocks

/// Handlebars' blocks, paths and blanks, by the semantics of Handlebars and of WireMock.
@Suite(.timeLimit(.minutes(5))) struct BlockTests {
    private static let body = #"""
        {"items":[{"name":"Tea","price":2.5,"tags":["hot"]},{"name":"Cake","price":4,"tags":[]}],"user":{"name":"Ann","a b":1},
        "map":{"x":1,"y":2},"empty":[],"yes":true,"no":false,"zero":0,"text":"t","matrix":[[1,2],[3]]}
        """#

    @Test(
        arguments: cases(
            #"""
            {{#if request.body.yes}}a{{/if}}{{#if request.body.no}}b{{/if}} → a
            {{#if request.body.zero}}a{{else}}b{{/if}}{{#if request.body.empty}}c{{else}}d{{/if}} → bd
            {{#if request.body.none}}a{{else if request.body.no}}b{{else if request.body.yes}}c{{else}}d{{/if}} → c
            {{#unless request.body.no}}a{{else}}b{{/unless}}{{^if request.body.no}}c{{/if}} → ac
            {{#each request.body.items}}{{@index}}{{name}}{{#unless @last}}, {{/unless}}{{/each}} → 0Tea, 1Cake
            {{#each request.body.items}}{{#if @first}}[{{/if}}{{this.price}}{{#if @last}}]{{/if}}{{/each}} → [2.54]
            {{#each request.body.empty}}a{{else}}none{{/each}}{{#each request.body.none}}a{{else}}none{{/each}} → nonenone
            {{#each request.body.map}}{{@key}}={{this}};{{/each}} → x=1;y=2;
            {{#each request.body.map as |value key|}}{{key}}:{{value}} {{/each}} → x:1 y:2␣
            {{#each request.body.items as |item i|}}{{i}}{{item.name}}{{#each item.tags as |tag|}}({{tag}} {{item.name}}){{/each}}{{/each}} → 0Tea(hot Tea)1Cake
            {{#each request.body.items}}{{#each tags}}{{this}}-{{../name}}-{{@../index}}{{/each}}{{/each}} → hot-Tea-0
            {{#each request.body.matrix}}{{#each this}}{{.}}{{/each}}|{{/each}} → 12|3|
            {{#with request.body.user}}{{name}}{{[a b]}}{{this.[a b]}}{{/with}}{{#with request.body.none}}a{{else}}b{{/with}} → Ann11b
            {{#each request.body.items}}{{name}}{{../request.body.text}}{{@root.request.method}} {{/each}} → TeatPOST CaketPOST␣
            {{#each request.query.n}}{{this}};{{/each}}{{request.query.n}} → 1;2;3;1
            {{#each (range 1 3)}}{{this}}{{@odd}}{{@index_1}} {{/each}} → 1false1 2true2 3false3␣
            {{#eq request.body.text 't'}}same{{else}}other{{/eq}}{{#neq 1 1}}a{{else}}b{{/neq}} → sameb
            {{#if (and request.body.yes (not request.body.no) (gt 3 2))}}a{{/if}}{{#if (or false 0 '')}}b{{/if}} → a
            a {{~#if true~}} b {{~/if~}} c → abc
            a {{!-- {{x}} --}}b{{! c }}d → a bd
            \{{x}} {{{request.body.text}}} {{& request.body.text}} → {{x}} t t
            {{#assign 'x'}}<{{request.body.text}}>{{/assign}}{{x}}{{assign 'y' 5}}{{y}} → <t>5
            {{#request.body.items}}{{name}}{{else}}b{{/request.body.items}}{{^request.body.empty}}c{{/request.body.empty}} → TeaCakec
            {{#arrayJoin ',' request.body.items prefix='[' suffix=']' as |item|}}{{item.name}}{{/arrayJoin}} → [Tea,Cake]
            {{request.query.n.first}}{{request.query.n.last}}{{request.query.n.[-1]}}{{request.query.n.[1]}} → 1322
            {{request.headers.X-List.1}}{{request.headers.[X-List]}}{{request.baseUrl}} {{request.port}} → twoonehttp://example.com:8080 8080
            """#
        )
    )
    func `Blocks and paths give the same in both dialects`(template: String, expected: String) throws {
        var filling = Filling(body: Self.body)
        #expect(try filling.text(template) == expected)
        filling.dialect = .wireMock
        #expect(try filling.text(template) == expected)
    }

    @Test func `A tag's line goes with it in our own files, and stays in those for WireMock`() throws {
        let template = "a\n{{#if true}}\n  b\n{{else}}\n  c\n{{/if}}\nd"
        #expect(try Filling().text(template) == "a\n  b\nd")
        #expect(try Filling(dialect: .wireMock).text(template) == "a\n\n  b\n\nd")
    }

    @Test(arguments: [
        (#"{"a":"{{{request.body.items}}}","b":"{{#if true}}x{{/if}}"}"#, #"{"a":[{"n":"\"q\""}],"b":"x"}"#),
        (
            #"[{{#each request.body.items}}{{#unless @first}},{{/unless}}{"n":"{{n}}","m":{{n}},"o":"{{{n}}}"}{{/each}}]"#,
            #"[{"n":"\"q\"","m":"\"q\"","o":"\"q\""}]"#
        ),
        (#"{"a":"{{#each request.body.items}}<{{n}}>{{/each}}"}"#, #"{"a":"<\"q\">"}"#),
        (#"{"a":{{#if request.body.none}}1{{else}}{{request.body.none}}{{/if}}}"#, #"{"a":null}"#),
        (#"{"a":"{{jsonPath request.body \"$.items[0].n\"}}"}"#, #"{"a":"\"q\""}"#),
        (#"{{assign 'x' 1}}{"a":{{x}},"b":"{{#assign 'y'}}"{{/assign}}{{y}}"}"#, #"{"a":1,"b":"\""}"#),
        (#"{"a":{{toJson request.body.items}}}"#, "{\"a\":[ {\n  \"n\" : \"\\\"q\\\"\"\n} ]}"),
        (#"{"a":{{array 1 'x'}},"b":"{{array 1 'x'}}"}"#, #"{"a":[1,"x"],"b":"[1, x]"}"#),
        (#"{"a":"{{#if request.body.none}}1{{else if (eq 1 \"1\")}}2{{/if}}"}"#, #"{"a":"2"}"#),
    ])
    func `JSON stays JSON, beside blocks and in them`(template: String, expected: String) throws {
        let text = try Filling(isJSON: true, body: #"{"items":[{"n":"\"q\""}]}"#).text(template)
        #expect(text == expected)
        _ = try JSONValue(parsing: text)
    }

    @Test(
        arguments: cases(
            #"""
            {"a": {{jsonPath request.body '$.o'}}, "b": "{{jsonPath request.body '$.s'}}"} → {"a": {"x":1}, "b": "\"q\""}
            {"a": "{{{jsonPath request.body '$.n'}}}", "b": "{{{jsonPath request.body '$.o'}}}"} → {"a": "5", "b": {"x":1}}
            {"a": "{{{request.body.s}}}"} → {"a": "\"q\""}
            """#
        )
    )
    func `In files for WireMock, values outside of strings are written as they are`(
        template: String,
        expected: String
    ) throws {
        let body = #"{"o":{"x":1},"s":"\"q\"","n":5}"#
        #expect(try Filling(dialect: .wireMock, isJSON: true, body: body).text(template) == expected)
    }

    @Test(
        arguments: cases(
            #"""
            {{a␀}} → {{a␀}} can't be read; write a name in it, such as variables.username
            {{#if}}a{{/if}} → the helper 'if' takes 1 value, and {{if}} has 0
            {{#if path.id}}a{{/each}} → a section is closed that isn't the one that is open; write {{/name}} with its name
            {{else}} → {{else}} isn't in a section; write it between {{#if …}} and {{/if}}
            {{#if path.id}}a{{else}}b{{else}}c{{/if}} → the section has an {{else}} already; remove one of the two
            {{#each path.id}} → a section has no end; write {{/each}} after it
            {{#each path.id as |}}{{/each}} → {{each path.id as |}} can't be read; after 'as' stand one or two names, as in as |item index|
            {{@index}} → {{@index}} isn't in {{#each}}, so there is nothing to count
            {{uper path.id}} → there is no helper 'uper'; did you mean 'upper'? in {{uper path.id}}
            {{eq path.id}} → the helper 'eq' takes 2 values, and {{eq path.id}} has 1
            {{now fromat='yyyy'}} → the helper 'now' knows no 'fromat='; did you mean 'format'?; it knows format, offset or timezone
            {{now format='yyyy-bb'}} → 'yyyy-bb' isn't a date format: the letter 'b' is not known in dates here
            {{jsonPath request.body 'a'}} → 'a' isn't a known JSON path; write one such as $.name, $.items[0] or $.items[?(@.id == 7)]
            {{matches path.id '('}} → '(' isn't a known pattern: missing closing parenthesis, at character 2
            {{systemValue key='PATH'}} → {{systemValue key='PATH'}}: a mock may not read the environment or system properties; write the value itself
            {{upper (lower path.id}} → a parenthesis in {{upper (lower path.id}} has no end: write ) after the helper's values
            {{upper 'a}} b → a quote in the tag has no end: write ' after the text
            {{!-- a }} → the comment has no end: write --}} after it
            {{{{raw}}}} → four braces begin nothing here; write two, or three for an unchanged value
            {{nme}} → {{nme}} begins with none of path, variables, query, headers, cookies, session, request, counter, now, random, data, parameters, row, message or round
            {{each path.id}} → {{each path.id}} is a block; write {{#each path.id}}…{{/each}}
            {{#range 1 2}}{{/range}} → the helper 'range' isn't a block; write {{range 1 2}}
            {{data}} → {{data}} names no value; write {{data.name}}
            {{random 'Nme.first_name'}} → random knows no "Nme.first_name"; did you mean 'Name.first_name'?
            {{random 'Name.name' locale='de'}} → random knows no locale 'de': its words are English; write 'en', or leave locale out
            {{uppercased(path.id)}} → {{uppercased(path.id)}}: Mustache's transforms are not known here; write a helper such as {{upper name}} or {{size list}}
            """#
        )
    )
    func `What can't be read is refused, with what to write`(template: String, message: String) {
        #expect { try Template(template) } throws: { error in
            (error as? TemplateError)?.text == message
        }
    }
}
