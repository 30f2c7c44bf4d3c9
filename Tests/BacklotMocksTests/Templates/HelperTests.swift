import Backlot
import BacklotJSON
import TestSupport
import Testing

@testable import BacklotMocks

/// Each helper, with what it takes and what it doesn't.
@Suite(.timeLimit(.minutes(5))) struct HelperTests {
    private static let body =
        #"{"list":[3,1,2],"o":{"a":{"b":"c"}},"items":[{"n":"x","p":1.1},{"n":"y","p":2.2}],"s":"two words"}"#

    private func expect(
        _ template: String,
        _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = try Filling(dialect: .wireMock, body: Self.body).text(template)
        #expect(text == expected, sourceLocation: sourceLocation)
    }

    @Test(
        arguments: cases(
            #"""
            {{eq 'a' 'a'}}{{eq 1 '1'}}{{eq 1 2}}{{eq request.query.n '1'}}{{eq request.query.x null}} → truetruefalsetruetrue
            {{neq 1 2}}{{eq 1 1 yes='Y' no='N'}}{{eq 1 2 yes='Y' no='N'}} → trueYN
            {{gt 2 1}}{{gte 2 2}}{{lt '10' '9'}}{{lte 'a' 'b'}}{{gt request.query.x 1}} → truetruefalsetruefalse
            {{and true 1 'a'}}{{and true 0}}{{or 0 '' null}}{{or 0 'a'}}{{not false}} → truefalsefalsetruetrue
            {{contains 'abc' 'b'}}{{contains 'abc' 'x'}}{{contains request.query.n '2'}}{{contains request.body.list 3}}{{contains 'abc' request.query.x}} → truefalsetruetruefalse
            {{matches '123' '[0-9]+'}}{{matches 'a1' '[0-9]+'}} → truefalse
            {{matches 'x' request.query.q}}{{#matches '1' '1'}}Y{{else}}N{{/matches}} → falseY
            {{val request.query.q}}{{val request.query.x or='-'}}{{val request.query.x default='d'}}{{val 5 assign='v'}}[{{v}}] → a b-d[5]
            {{lookup request.query 'n.1'}}{{lookup request.body.o.a 'b'}}{{lookup (array 'x' 'y') 1}}{{lookup request.query 'zz'}} → 2cy
            {{defaultIfEmpty request.query.e 'none'}}{{defaultIfEmpty 'x' 'none'}} → nonex
            {{yesno true}}{{yesno false no='nein'}}{{yesno request.query.x}} → yesneinmaybe
            """#
        )
    )
    func `Helpers for logic work`(template: String, expected: String) throws { try expect(template, expected) }

    @Test(
        arguments: cases(
            #"""
            {{upper 'aä'}}{{lower 'AÄ'}}{{trim '  x '}}{{#trim}}⏎ y {{/trim}} → AÄaäxy
            {{capitalize 'two wORDS'}}{{capitalize 'two wORDS' fully=true}}{{capitalizeFirst 'ab c'}} → Two WORDSTwo WordsAb c
            {{substring 'Hello World' 6}}{{substring 'Hello' 0 2}}[{{substring 'abc' 9}}][{{substring 'abc' 2 1}}] → WorldHe[][]
            {{substring 'abc' 'x'}} → [ERROR: substring takes a text, a start and perhaps an end, as in {{substring 'abc' 0 1}}]
            {{replace 'a.b.c' '.' '-'}}{{replace 'abc' '' 'x'}} → a-b-cabc
            {{abbreviate 'a long sentence' 9}}{{abbreviate 'short' 9}} → a long...short
            {{abbreviate 'abc' 2}} → [ERROR: abbreviate takes a text and a width of at least 4]
            {{wordWrap 'one two three' 7}} → one two⏎three
            [{{ljust 'ab' size=4}}][{{rjust 'ab' size=4 pad='*'}}][{{center 'ab' size=5 pad='-'}}] → [ab  ][**ab][-ab--]
            {{ljust 'a' size=100001}} → [ERROR: ljust takes size=, up to 100000, and perhaps pad=, which is one character of at most 40 bytes]
            {{cut 'a b c'}}{{cut 'a-b' '-'}}{{stripTags '<b>x</b>y'}}{{slugify 'Joel is a slug, ä'}} → abcabxyjoel-is-a-slug-ä
            {{join request.body.list '-'}}{{join 'a' 'b' ', '}}{{join (split 'x,y' ',') ';' prefix='<' suffix='>'}} → 3-1-2a, b<x;y>
            {{stringFormat '%s has %d%%' 'x' 5}} → x has 5%
            {{base64 'hello'}} {{base64 'hello' padding=false}} {{base64 'aGVsbG8' decode=true}} {{#base64}}a{{/base64}} → aGVsbG8= aGVsbG8 hello YQ==
            {{base64 '!' decode=true}} → [ERROR: "!" is no base64]
            {{urlEncode 'a b&c=ä'}}{{urlEncode 'a+b%20c' decode=true}} → a+b%26c%3D%C3%A4a b c
            {{regexExtract 'abc-DEF-123' '[A-Z]+'}}{{regexExtract 'ab-CD' '([a-z]+)-([A-Z]+)' 'p'}}{{p.0}},{{p.1}} → DEFab,CD
            {{regexExtract 'abc' '[0-9]+'}}{{regexExtract 'abc' '[0-9]+' default='d'}} → [ERROR: Nothing matched [0-9]+]d
            {{formData 'a=1&b=x%20y&b=2' 'f'}}{{f.a}}{{f.b}}{{f.b.1}}{{formData 'b=x%20y' 'g' urlDecode=true}}{{g.b}}[{{g.z}}] → 1x%20y2x y[]
            """#
        )
    )
    func `Helpers for texts work`(template: String, expected: String) throws { try expect(template, expected) }

    @Test(
        arguments: cases(
            #"""
            {{math 1 '+' 2}}{{math '4' '-' 2}}{{math 2 '*' 3}}{{math 8 '/' 2}}{{math 10 '%' 3}} → 32641
            {{math 7 '/' 2}}{{math 10 '/' 3}}{{math -7 '/' 2}} {{math 7.0 '*' 0.5}} {{math 0.1 '+' 0.2}} → 43-4 3.5 0.3
            {{math 1 '/' 0}} → [ERROR: 1 can't be divided by 0]
            {{math 'x' '+' 1}}{{math 1 '^' 2}} → [ERROR: "x" is no number][ERROR: "^" is not known to math; write '+', '-', '*', '/' or '%']
            {{math 9223372036854775807 '+' 1}} → [ERROR: the result is too large]
            {{isOdd 3}}{{isOdd 2}}{{isEven 4 'E'}}{{stripes 2 'a' 'b'}}{{stripes 3 'a' 'b'}} → oddEab
            {{range 3 5}}{{range '1' '2'}}{{range -1 1}}{{size (range 0 9)}} → [3, 4, 5][1, 2][-1, 0, 1]10
            {{range 1 'x'}} → [ERROR: The range helper requires both lower and upper bounds as integer parameters]
            {{range 1 1000000}} → [ERROR: the range from 1 to 1000000 has more than 10000 numbers, which is the limit]
            {{array 1 'two' true}}{{array}}{{size 'abcde'}}{{size request.query.n}}{{size request.body.o}} → [1, two, true][]531
            {{arrayAdd (array 1 'three') 2 position=1}}{{arrayAdd (array 1) 2 position='start'}}{{arrayAdd (array 1) 2}} → [1, 2, three][2, 1][1, 2]
            {{arrayRemove (array 1 2 3) position=1}}{{arrayRemove (array 1 2) position='start'}}{{arrayRemove (array 1 2)}} → [1, 3][2][1]
            {{arrayAdd 'x' 1}}{{arrayRemove (array 1) position=7}} → [ERROR: arrayAdd takes a list and a value][ERROR: position must be 'start', 'end' or a number from 0 to 0]
            {{arrayJoin ',' (array 1 2) prefix='[' suffix=']'}}{{arrayJoin '-' 'a' 'b'}} → [1,2]a-b
            {{sum request.body.items 'p'}} {{sum request.body.list}} {{pluck request.body.items 'n'}} → 3.3 6 [x, y]
            {{sum request.body.items 'n'}} → [ERROR: {"n":"x","p":1.1} has no number to add]
            {{numberFormat 1234.5678 '0.00'}} {{numberFormat 1234.5678 '#,##0.0'}} {{numberFormat 42 '0'}} → 1234.57 1,234.6 42
            {{numberFormat 123.456 'currency' 'en_GB'}} {{numberFormat 1234.5 'currency' 'de_DE'}} {{numberFormat 1234.5 'currency'}} → £123.46 1.234,50⍽€ $1,234.50
            {{numberFormat 123.4567 'percent' 'en_GB'}} {{numberFormat 123.4567 '###.000000'}} {{numberFormat 1234.567 maximumIntegerDigits=3 minimumFractionDigits=6}} → 12,346% 123.456700 234.567000
            {{numberFormat 12345.678 groupingUsed=false}} {{numberFormat 1.239 roundingMode='down' maximumFractionDigits=2}} {{numberFormat 'x'}} → 12345.678 1.23 [ERROR: "x" is no number]
            {{numberFormat 0.00001 '0.00'}} {{numberFormat 0.00001 '0.00' roundingMode='up'}} {{numberFormat 0.5 '#.#'}} → 0.00 0.01 .5
            {{numberFormat 9.995 '0.00'}} {{numberFormat -0.004 '0.00'}} {{numberFormat 1 roundingMode='odd'}} → 10.00 0.00 [ERROR: "odd" isn't a rounding mode; write one such as half_up]
            """#
        )
    )
    func `Numbers and lists`(template: String, expected: String) throws { try expect(template, expected) }

    @Test(
        arguments: cases(
            #"""
            {{jsonPath request.body '$.o.a'}}{{jsonPath request.body '$.s'}}{{jsonPath request.body '$.list[*]'}} → {"b":"c"}two words[3,1,2]
            {{jsonPath request.body '$.none' default='M'}}[{{jsonPath request.body '$.none'}}] → M[]
            {{jsonPath 'x' '$.a'}} → [ERROR: "x" is not valid JSON]
            {{parseJson request.body 'b'}}{{b.o.a.b}}{{#parseJson 'c'}}{"x":1}{{/parseJson}}{{c.x}}{{lookup (parseJson '{"y":2}') 'y'}} → c12
            {{parseJson 'x'}} → [ERROR: "x" is not valid JSON]
            {{toJson request.body.o}}{{toJson request.body.list}} → {⏎  "a" : {⏎    "b" : "c"⏎  }⏎}[ 3, 1, 2 ]
            {{formatJson '{"b":1}'}}{{formatJson '{ "b" : 1 }' format='compact'}} → {⏎  "b" : 1⏎}{"b":1}
            {{jsonArrayAdd '[1,2,3]' '4'}}{{jsonArrayAdd '[1,2,3]' '4' maxItems=3}}{{#jsonArrayAdd '[1]'}}[2]{{/jsonArrayAdd}}{{jsonArrayAdd '[1]' '[2]' flatten=true}} → [1,2,3,4][2,3,4][1,[2]][1,2]
            {{jsonArrayAdd '[{"n":[1]}]' '2' jsonPath='$[0].n'}}{{jsonArrayAdd '[1]' '2' jsonPath='$.x'}} → [{"n":[1,2]}][ERROR: "$.x" doesn't lead to a list]
            {{jsonMerge '{"a":{"x":1},"l":[1]}' '{"a":{"y":2},"l":[2]}'}}{{jsonMerge '{"a":1,"b":2}' '{"b":null}' removeNulls=true}} → {"a":{"x":1,"y":2},"l":[2]}{"a":1}
            {{jsonMerge '[]' '{}'}} → [ERROR: jsonMerge takes two objects, both as JSON]
            {{jsonRemove '{"a":1,"b":2}' '$.b'}}{{jsonRemove '{"a":{"b":1,"c":2}}' '$.a.b'}}{{jsonRemove '[{"id":1},{"id":2}]' '$[?(@.id == 1)]'}} → {"a":1}{"a":{"c":2}}[{"id":2}]
            {{jsonSort request.body.items '$.p' order='desc'}} → [{"n":"y","p":2.2},{"n":"x","p":1.1}]
            {{request.pathSegments}} {{request.pathSegments.1}} {{request.path.id}} {{request.path.1}} {{request.url}} → /things/7 7 7 7 /things/7?q=a%20b&n=1&n=2&n=3&e=
            {{request.bodyAsBase64}}{{request.requestLine.method}} {{request.host}} {{request.cookies.c}} → eyJsaXN0IjpbMywxLDJdLCJvIjp7ImEiOnsiYiI6ImMifX0sIml0ZW1zIjpbeyJuIjoieCIsInAiOjEuMX0seyJuIjoieSIsInAiOjIuMn1dLCJzIjoidHdvIHdvcmRzIn0=POST example.com v
            """#
        )
    )
    func `Helpers for JSON work`(template: String, expected: String) throws { try expect(template, expected) }

    @Test(
        arguments: cases(
            #"""
            {{date (parseDate '2021-05-15T10:30:00Z') format='yyyy-MM-dd'}} {{date (parseDate '2021-05-15T10:30:00Z')}} → 2021-05-15 2021-05-15T10:30:00Z
            {{date (parseDate '2021-05-15T10:30:00Z') offset='3 days' format='dd'}} {{date (parseDate '2021-01-31T00:00:00Z') offset='1 months' format='MM-dd'}} {{date (parseDate '2024-02-29T00:00:00Z') offset='1 years' format='yyyy-MM-dd'}} → 18 02-28 2025-02-28
            {{date (parseDate '2021-05-15T22:30:05Z') format='EEE, d MMM yyyy hh:mm a'}} {{date (parseDate '2021-05-15T10:30:00.123Z') format='HH:mm:ss.SSS'}} → Sat, 15 May 2021 10:30 PM 10:30:00.123
            {{date (parseDate '2021-05-15T10:30:00Z') format='epoch'}} {{date (parseDate '2021-05-15T10:30:00Z') format='unix'}} → 1621074600000 1621074600
            {{date (parseDate '15/05/2021' format='dd/MM/yyyy') format='yyyy-MM-dd'}} {{date (parseDate '1621074600' format='unix')}} {{date (parseDate '2021-10' format='yyyy-MM') offset='+32 days' format='yyyy-MM'}} → 2021-05-15 2021-05-15T10:30:00Z 2021-11
            {{date (parseDate 'Tue, 15 Jun 2021 15:16:17 GMT')}} {{date (parseDate '2021-06-15T15:16:17+02:00')}} → 2021-06-15T15:16:17Z 2021-06-15T13:16:17Z
            {{date (parseDate '2021-07-01T12:00:00Z') timezone='Australia/Sydney' format='yyyy-MM-dd HH:mm:ssZ z'}} {{date (parseDate '2031-01-01T12:00:00Z') timezone='Europe/Berlin'}} {{date (parseDate '2031-07-01T12:00:00Z') timezone='Europe/Berlin'}} → 2021-07-01 22:00:00+1000 AEST 2031-01-01T13:00:00+01:00 2031-07-01T14:00:00+02:00
            {{date (parseDate '2031-07-01T12:00:00Z') timezone='+05:30' format='HH:mm XXX'}}{{date (parseDate '2031-07-01T12:00:00Z') timezone='Mars/Base'}} → 17:30 +05:30[ERROR: there is no timezone "Mars/Base"]
            {{date (truncateDate (parseDate '2021-06-15T10:11:12Z') 'first day of month')}} {{date (truncateDate (parseDate '2021-06-15T10:11:12Z') 'last day of year')}} {{truncateDate (parseDate '2021-06-15T10:11:12Z') 'first minute of hour'}} → 2021-06-01T00:00:00Z 2021-12-31T00:00:00Z 2021-06-15T10:00:00Z
            {{truncateDate (parseDate '2021-06-15T10:11:12Z') 'first day of moth'}} → [ERROR: "first day of moth" isn't a truncation; did you mean 'first day of month'?]
            {{parseDate 'x'}}{{parseDate '15' format='yyyy-MM'}}{{date 'x'}} → [ERROR: "x" is no date][ERROR: "15" is no date in the form 'yyyy-MM'][ERROR: "x" isn't a date; write (parseDate …) around it]
            {{now offset='soon'}} → [ERROR: "soon" isn't an offset; write one such as '3 days' or '-2 hours']
            {{dateFormat -62170675200000 'full'}}{{date 9223372036854775807}} → [ERROR: -62170675200000 milliseconds since 1970 aren't in the years 1 to 9999][ERROR: 9223372036854775807 milliseconds since 1970 aren't in the years 1 to 9999]
            {{dateFormat -62135596800000 'yyyy'}}{{parseDate '9223372036854775807' format='unix'}} → 0001[ERROR: "9223372036854775807" is no date in the form 'unix']
            {{lookup (parseJson '[]') '-9223372036854775808'}}{{lookup (parseJson '[5,6]') '-1'}} → 5
            {{dateFormat (parseDate '2020-01-01T11:11:11Z') 'full'}} {{dateFormat (parseDate '2020-01-01T11:11:11Z') format='d'}} → Wednesday, January 1, 2020 1
            """#
        )
    )
    func `Helpers for dates work`(template: String, expected: String) throws { try expect(template, expected) }

    @Test func `Texts from a client's bytes have at most 128 combining marks in a row`() throws {
        let marks = String(repeating: "\u{301}", count: 128)
        let text = Base64.encode("a\(marks)\u{301}")
        try expect("{{base64 '\(text)' decode=true}}", "a\(marks)\u{FFFD}")
        try expect("{{#trim}}a\(marks)\u{301}{{/trim}}", "a\(marks)\u{FFFD}")
    }

    /// The digits were counted anew for each digit.
    @Test func `A format of a client may have many digits`() throws {
        let filling = Filling(
            dialect: .wireMock,
            body: "#," + String(repeating: "0", count: 300_000),
            limit: 10_000_000
        )
        let text = try filling.text("{{numberFormat 1 request.body}}")
        #expect(text.utf8.count == 399_999 && text.hasPrefix("000,000,") && text.hasSuffix(",001"))
    }

    @Test func `A search among a form's fields takes from the budget`() throws {
        let template = "{{#with (formData request.body)}}{{#each (split a '')}}{{zz}}{{/each}}{{/with}}"
        let body = "a=" + String(repeating: "x", count: 1000) + String(repeating: "&b", count: 20_000)
        let filling = Filling(dialect: .wireMock, body: body, limit: 1_000_000)
        #expect(throws: TemplateTooLarge.self) { try filling.text(template) }
        let usual = Filling(dialect: .wireMock, body: "a=xy&b=1", limit: 1000)
        #expect(try usual.text("{{#with (formData request.body)}}{{b}}{{zz}}{{/with}}") == "1")
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test func `A form may have many fields, and an object without some values many members`() throws {
        let prefix = String(repeating: "x", count: 100)
        let names = (100_000..<200_000).map { "\(prefix)\($0)" }
        let fields = (names + names.prefix(1)).map { NamedValue(name: $0, value: "1") }
        #expect(TemplateValue.form(fields).json.object?.keys == names)
        let members = names.map { "\"\($0)\":0" }.joined(separator: ",")
        let body = "{\"list\":[{\"id\":1}],\(members)}"
        let filling = Filling(dialect: .wireMock, body: body, limit: 100_000_000)
        #expect(try filling.text("{{size (jsonRemove request.body '$.list[?(@.id == 1)]')}}") == "100001")
    }

    @Test(arguments: [(3, true), (5, true), (6, false), (2000, false)])
    func `A character that pads has at most 40 bytes`(count: Int, isPad: Bool) throws {
        // One character of seven bytes for each person but the first.
        let family = "👨" + String(repeating: "\u{200D}👨", count: count)
        for (name, padded) in [("ljust", "a\(family)"), ("rjust", "\(family)a"), ("center", "a\(family)")] {
            let message =
                "[ERROR: \(name) takes size=, up to 100000, and perhaps pad=, which is one character of at most 40 bytes]"
            try expect("{{\(name) 'a' size=2 pad='\(family)'}}", isPad ? padded : message)
        }
    }

    /// What a template counts, without being written, and whether it takes more than a megabyte.
    @Test(arguments: [
        ("join (range 1 1000) request.body.long", true), ("arrayJoin request.body.long (range 1 1000)", true),
        ("join 'a' 'b' request.body.long", false), ("arrayJoin request.body.long 'a' 'b'", false),
        ("split request.body.longest ''", true), ("split request.body.longest 'y'", true),
        ("split request.body.long ''", false),
    ])
    func `A list is joined and split within the template's budget`(call: String, isTooLarge: Bool) throws {
        let (long, longest) = (String(repeating: "x", count: 10_000), String(repeating: "x", count: 600_000))
        let body = #"{"long":"\#(long)","longest":"\#(longest)"}"#
        let filling = Filling(dialect: .wireMock, body: body, limit: 1_000_000)
        if isTooLarge {
            #expect(throws: TemplateTooLarge(limit: 1_000_000)) { try filling.text("{{size (\(call))}}") }
        } else {
            #expect(try Int(filling.text("{{size (\(call))}}")) ?? 0 >= 10_000)
        }
    }

    @Test(arguments: [(59, true), (60, false), (1_000_000, false)])
    func `The name of a time zone has at most 64 bytes`(count: Int, isZone: Bool) throws {
        let name = "+01\(String(repeating: ":", count: count))30"
        #expect((ZoneRules.named(name) != nil) == isZone)
        #expect(ZoneRules.named("Europe/Berlin") != nil)
    }

    /// A path that is followed to its end for each row would take longer than the time limit.
    @Test func `A path leads as deep as values may be, and no further`() throws {
        let deep = (0..<64).reduce(JSONValue.string("deep")) { value, _ in ["a": value] }
        let names = Array(repeating: "a", count: 1_000_000)
        #expect(TemplateValue.json(deep).following(names[..<64]).text == "deep")
        for _ in 0..<10_000 { #expect(TemplateValue.json(deep).following(names).isMissing) }
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test func `A template may set many variables`() throws {
        var run = TemplateRun(nil, slots: 0, limit: 1000, capacity: 0)
        for round in 0..<2 {
            for index in 0..<200_000 { run.set("a long name \(index)", to: .text("\(round)")) }
        }
        let template = "{{#each (range 1 500)}}{{assign this 'x'}}{{/each}}{{lookup (array 'a' 'b') 1}}"
        try expect(template, "b")
        try expect("{{assign 'v' 'a'}}{{assign 'w' 'b'}}{{assign 'v' 'c'}}{{v}}{{w}}", "cb")
    }

    @Test func `The present can be moved`() throws {
        let filling = Filling()
        let now = try #require(Int(try filling.text("{{now format='unix'}}")))
        let later = try #require(Int(try filling.text("{{now offset='3 days' format='unix'}}")))
        #expect((later - now - 259_200).magnitude <= 1)
        #expect(try filling.text("{{now}}").hasSuffix("Z"))
    }

    @Test(arguments: [
        ("{{randomValue length=33 type='ALPHANUMERIC'}}", "[a-z0-9]{33}"), ("{{randomValue}}", "[a-z0-9]{36}"),
        ("{{randomValue length=5 type='NUMERIC'}}", "[0-9]{5}"),
        ("{{randomValue length=9 type='ALPHABETIC' uppercase=true}}", "[A-Z]{9}"),
        ("{{randomValue type='UUID'}}", "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
        ("{{randomValue length=32 type='HEXADECIMAL'}}", "[0-9a-f]{32}"),
        ("{{randomValue type='WORD'}}", #"\[ERROR: randomValue knows no type "WORD".*\]"#),
        ("{{randomInt lower=5 upper=9}}{{randomInt lower='7' upper='7'}}", "[5-9]7"),
        ("{{randomInt lower=9 upper=5}}", #"\[ERROR: lower and upper must be whole numbers, the lower one first\]"#),
        ("{{randomDecimal lower=-10.1 upper=-0.9}}", #"-\d+(\.\d+)?"#), ("{{pickRandom '1' '2' '3'}}", "[123]"),
        ("{{pickRandom (array 'a' 'b')}}{{size (pickRandom 1 2 3 count=2)}}", "[ab]2"),
        ("{{pickRandom (array)}}", #"\[ERROR: Must specify .*\]"#),
        ("{{random 'Name.first_name'}} {{random 'Name.lastName'}}", #"\p{L}+ \p{L}+"#),
        (
            "{{random 'Address.postcode' locale='en'}} {{random 'Address.street_address' locale='en-GB'}}",
            #"\d{5} \d+ .+"#
        ),
        ("{{random 'Internet.email_address'}}", #"[a-z.]+@example\.com"#),
        ("{{random 'Name.name' locale=request.query.q}}", #"\[ERROR: random knows no locale 'a b': .*\]"#),
        ("{{random 'Commerce.price'}} {{random 'PhoneNumber.phone_number'}}", #"\d+\.\d\d \(\d{3}\) 555-01\d\d"#),
        ("{{random 'Lorem.sentence'}}", #"[A-Z][a-z]+( [a-z]+){4,9}\."#),
        ("{{random request.query.q}}", #"\[ERROR: random knows no "a b".*\]"#),
        ("{{hostname}}", ".+"),
    ])
    func `Random values have their form, and a new rendering repeats them`(template: String, pattern: String) throws {
        let text = try Filling().text(template)
        #expect(try Regex(pattern).wholeMatch(in: text) != nil, "\(text)")
        #expect(try Filling().text(template) == text)
    }

    @Test func `Every word of faker is there`() throws {
        #expect(Faker.names.count == 48)
        for name in Faker.names {
            let text = try Filling().text("{{random '\(name)'}}")
            #expect(!text.isEmpty && !text.contains { "{}#".contains($0) } && !text.contains("ERROR"), "\(name)")
        }
    }
}
