import BacklotJSON
import Testing

@testable import BacklotMocks

/// Conditions beyond texts and JSON: forms, XML, dates, where a request is from.
@Suite(.timeLimit(.minutes(5))) struct WireMockPatternTests {
    static let form = [("content-type", "application/x-www-form-urlencoded")]
    static let parts = [("content-type", "multipart/form-data; boundary=xyz")]
    static let files =
        "--xyz\r\nContent-Disposition: form-data; name=\"info\"\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{\"a\":1}\r\n"
        + "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--xyz--\r\n"

    static let forms: [PatternCase] = [
        .takes(#"{"formParameters":{"a":{"equalTo":"b c"}}}"#, "POST", "/", form, body: "x=1&a=b+c"),
        .refuses(#"{"formParameters":{"a":{"equalTo":"b"}}}"#, "POST", "/", form, body: "a=c"),
        .refuses(
            #"{"formParameters":{"a":{"equalTo":"b"}}}"#,
            "POST",
            "/",
            [("content-type", "text/plain")],
            body: "a=b"
        ),
        .takes(
            #"{"formParameters":{"a":{"hasExactly":[{"equalTo":"1"},{"equalTo":"2"}]}}}"#,
            "POST",
            "/",
            form,
            body: "a=2&a=1"
        ),
        .takes(
            #"{"multipartPatterns":[{"headers":{"Content-Disposition":{"contains":"name=\"info\""}},"bodyPatterns":[{"equalToJson":"{\"a\":1}"}]}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .takes(
            #"{"multipartPatterns":[{"name":"file","bodyPatterns":[{"equalTo":"hello"}]}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .takes(
            #"{"multipartPatterns":[{"fileName":"a.txt","bodyPatterns":[{"binaryEqualTo":"aGVsbG8="}]}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .refuses(
            #"{"multipartPatterns":[{"name":"info","bodyPatterns":[{"equalTo":"hello"}]}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .refuses(
            #"{"multipartPatterns":[{"matchingType":"ALL","bodyPatterns":[{"contains":"hello"}]}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .takes(
            #"{"multipartPatterns":[{"matchingType":"ALL","headers":{"Content-Disposition":{"contains":"form-data"}}}]}"#,
            "POST",
            "/",
            parts,
            body: files
        ),
        .refuses(#"{"multipartPatterns":[{"name":"info"}]}"#, "POST", "/", form, body: "a=b"),
        .refuses(#"{"multipartPatterns":[{"name":"info"}]}"#, "POST", "/", parts, body: "--xyz\r\nbroken"),
        .refuses(#"{"multipartPatterns":[{"name":"info"}]}"#, "POST", "/", parts, body: "--xyz--"),
    ]

    static let places: [PatternCase] = [
        .takes(#"{"host":{"equalTo":"a.example"}}"#, "GET", "/", [("host", "a.example:8080")]),
        .refuses(#"{"host":{"equalTo":"a.example"}}"#, "GET", "/", [("host", "b.example")]),
        .takes(#"{"port":8080}"#, "GET", "/", [("host", "[::1]:8080")]),
        .refuses(#"{"port":8080}"#, "GET", "/", [("host", "a.example")]),
        .takes(#"{"port":80,"host":{"equalTo":"::1"}}"#, "GET", "/", [("host", "[::1]")]),
        .takes(#"{"scheme":"http"}"#),
        .refuses(#"{"scheme":"https"}"#),
        .takes(#"{"clientIp":{"equalTo":"127.0.0.1"}}"#),
        .refuses(#"{"clientIp":{"matches":"10\\..*"}}"#),
        .takes(#"{"basicAuth":{"username":"u","password":"p"}}"#, "GET", "/", [("authorization", "Basic dTpw")]),
        .refuses(
            #"{"basicAuthCredentials":{"username":"u","password":"p"}}"#,
            "GET",
            "/",
            [("authorization", "Basic dTpx")]
        ),
        .takes(#"{"method":{"oneOf":["GET","PUT"]}}"#, "PUT"),
        .refuses(#"{"method":{"oneOf":["GET","PUT"]}}"#, "POST"),
        .refuses(#"{"method":{"noneOf":["GET","PUT"]}}"#, "PUT"),
        .takes(#"{"method":{"noneOf":["GET","PUT"]}}"#, "POST"),
        .takes(#"{"method":"GET_OR_HEAD"}"#, "HEAD"),
        .takes(#"{"headers":{"n":{"greaterThanNumber":3}}}"#, "GET", "/", [("n", "3.5")]),
        .refuses(#"{"headers":{"n":{"lessThanEqualNumber":3}}}"#, "GET", "/", [("n", "4")]),
        .refuses(#"{"headers":{"n":{"equalToNumber":3}}}"#, "GET", "/", [("n", "three")]),
        .takes(#"{"headers":{"n":{"anything":"anything"}}}"#),
    ]

    static func xml(_ matcher: String, _ body: String, _ matches: Bool) -> PatternCase {
        PatternCase(pattern: #"{"bodyPatterns":[{\#(matcher)}]}"#, method: "POST", body: body, matches: matches)
    }

    static let documents: [PatternCase] = [
        xml(#""equalToXml":"<a x='1' y='2'><b>c</b></a>""#, "<!-- - --><a y='2' x='1'>\n <b> c </b>\n</a>", true),
        xml(#""equalToXml":"<a><b/><c/></a>""#, "<a><c/><b/></a>", true),
        xml(#""equalToXml":"<a><b>1</b><b>2</b></a>""#, "<a><b>2</b><b>1</b></a>", false),
        xml(#""equalToXml":"<a><b>1</b><b>2</b></a>","ignoreOrderOfSameNode":true"#, "<a><b>2</b><b>1</b></a>", true),
        xml(#""equalToXml":"<a/>""#, "<a>text</a>", false),
        xml(#""equalToXml":"<a x='1'/>""#, "<a x='1' y='2'/>", false),
        xml(#""equalToXml":"<a x='1'/>","exemptedComparisons":["ELEMENT_NUM_ATTRIBUTES"]"#, "<a x='1' y='2'/>", true),
        xml(#""equalToXml":"<a>x</a>","exemptedComparisons":["TEXT_VALUE"]"#, "<a>y</a>", true),
        xml(#""equalToXml":"<a>x</a>","exemptedComparisons":["ELEMENT_TAG_NAME"]"#, "<b>x</b>", true),
        xml(#""equalToXml":"<n:a xmlns:n='urn:1'/>""#, "<a xmlns='urn:1'/>", true),
        xml(#""equalToXml":"<n:a xmlns:n='urn:1'/>""#, "<n:a xmlns:n='urn:2'/>", false),
        xml(#""equalToXml":"<n:a xmlns:n='urn:1'/>","namespaceAwareness":"NONE""#, "<a xmlns='urn:1'/>", false),
        xml(#""equalToXml":"<a>${xmlunit.ignore}</a>","enablePlaceholders":true"#, "<a>9</a>", true),
        xml(#""equalToXml":"<a>${xmlunit.isNumber}</a>","enablePlaceholders":true"#, "<a>x</a>", false),
        xml(#""equalToXml":"<a>${xmlunit.matchesRegex([a-c]{2})}</a>","enablePlaceholders":true"#, "<a>ab</a>", true),
        xml(
            #""equalToXml":"<a>[[xmlunit.ignore]]</a>","enablePlaceholders":true,"placeholderOpeningDelimiterRegex":"\\[\\[","placeholderClosingDelimiterRegex":"]]""#,
            "<a/>",
            true
        ),
        xml(#""equalToXml":"<a>${xmlunit.ignore}</a>""#, "<a>9</a>", false),
        xml(#""equalToXml":"<a/>""#, "no XML", false),
        xml(#""matchesXPath":"/todo[count(item) = 2]""#, "<todo><item/><item/></todo>", true),
        xml(#""matchesXPath":"/todo[count(item) = 2]""#, "<todo><item/></todo>", false),
        xml(
            #""matchesXPath":"/thing/sub[.='x']""#,
            "<t:thing xmlns:t='urn:t' xmlns:s='urn:s'><s:sub>x</s:sub></t:thing>",
            true
        ),
        xml(
            #""matchesXPath":"/a:thing","xPathNamespaces":{"a":"urn:t"}"#,
            "<t:thing xmlns:t='urn:t'/>",
            true
        ),
        xml(#""matchesXPath":"/a:thing","xPathNamespaces":{"a":"urn:x"}"#, "<t:thing xmlns:t='urn:t'/>", false),
        xml(
            #""matchesXPath":{"expression":"//item/text()","contains":"wash"}"#,
            "<t><item>eat</item><item>wash up</item></t>",
            true
        ),
        xml(#""matchesXPath":{"expression":"//item","equalToXml":"<item>a</item>"}"#, "<t><item> a </item></t>", true),
        xml(#""matchesXPath":{"expression":"//@id","matches":"[0-9]+"}"#, "<t id='x'/>", false),
        xml(#""matchesXPath":"//a""#, "a", false),
        xml(#""not":{"matchesXPath":"//a"}"#, "<b/>", true),
        xml(#""equalToJson":{"a":"${json-unit.regex}[A-Z]+"}"#, #"{"a":"AB"}"#, true),
        xml(#""equalToJson":{"a":"${json-unit.regex}[A-Z]+"}"#, #"{"a":"ab"}"#, false),
        xml(##""equalToJson":{"a":"#{json-unit.any-number}"}"##, #"{"a":7}"#, true),
        xml(#""equalToJson":{"a":1,"b":"${json-unit.ignore-element}"}"#, #"{"a":1}"#, true),
        xml(
            ##""matchesJsonPath":"$.things[?(@.name =~ /required.*/i)]""##,
            #"{"things":{"name":"RequiredThing"}}"#,
            true
        ),
        xml(
            ##""matchesJsonPath":"$.things[?(@.name =~ /required.*/)]""##,
            #"{"things":[{"name":"RequiredThing"}]}"#,
            false
        ),
        xml(#""matchesJsonPath":"$[?(@.things.size() == 2)]""#, #"{"things":[1,2]}"#, true),
        xml(#""matchesJsonPath":"$[?(@.things.size() == 2)]""#, #"{"things":[1]}"#, false),
        xml(#""matchesJsonPath":{"expression":"$.things.size()","equalTo":"2"}"#, #"{"things":[1,2]}"#, true),
        xml(#""matchesJsonPath":"$.a[?(@.n in ['x', 'y'])]""#, #"{"a":[{"n":"y"}]}"#, true),
        xml(#""matchesJsonPath":"$['a','b']""#, #"{"b":1}"#, true),
    ]

    static func date(_ matcher: String, _ value: String, _ matches: Bool) -> PatternCase {
        PatternCase(pattern: #"{"headers":{"d":{\#(matcher)}}}"#, headers: [("d", value)], matches: matches)
    }

    static let dates: [PatternCase] = [
        date(#""before":"now""#, "2001-01-01T00:00:00Z", true),
        date(#""after":"now +1 days""#, "2001-01-01T00:00:00Z", false),
        date(#""before":"now +200 years""#, "2100-01-01", true),
        date(#""after":"now","expectedOffset":-100,"expectedOffsetUnit":"years""#, "2001-01-01T00:00:00Z", true),
        date(#""equalToDateTime":"2021-06-24T00:00:00","actualFormat":"dd/MM/yyyy""#, "24/06/2021", true),
        date(#""equalToDateTime":"2021-06-24T00:00:00","actualFormat":"dd/MM/yyyy""#, "2021-06-24", false),
        date(
            #""equalToDateTime":"2021-06-24T13:05:00Z","actualFormat":"d MMM yyyy h:mm a z""#,
            "24 Jun 2021 1:05 PM UTC",
            true
        ),
        date(
            #""equalToDateTime":"2020-03-01T00:00:00Z","truncateActual":"first day of month""#,
            "2020-03-17T11:00:00Z",
            true
        ),
        date(#""equalToDateTime":"1970-01-01T00:01:40Z","actualFormat":"unix""#, "100", true),
        date(#""equalToDateTime":"1970-01-01T00:01:40Z","actualFormat":"epoch""#, "100000", true),
        date(#""equalToDateTime":"2021-06-01T15:16:17Z""#, "Tue, 01 Jun 2021 15:16:17 GMT", true),
        date(#""equalToDateTime":"1994-11-06T08:49:37Z""#, "Sunday, 06-Nov-94 08:49:37 GMT", true),
        date(#""equalToDateTime":"1994-11-06T08:49:37Z""#, "Sun Nov  6 08:49:37 1994", true),
        date(#""equalToDateTime":"2021-06-24T12:40:27""#, "2021-06-24T12:40:27+05:00", true),
        date(#""equalToDateTime":"2021-06-24T12:40:27Z""#, "2021-06-24T12:40:27+05:00", false),
        date(#""before":"2030-01-01T00:00:00Z""#, "not a date", false),
        date(#""before":"2030-01-01T00:00:00Z""#, "2021-13-45", false),
    ]

    @Test(arguments: forms + places + documents + dates)
    func `A pattern takes what it says and nothing else`(test: PatternCase) throws {
        let pattern = try RequestPattern(json: JSONValue(parsing: test.pattern))
        let request = try test.request()
        #expect(pattern.matches(request) == test.matches)
        let match = pattern.match(request)
        #expect(match.isMatch == test.matches)
        #expect(test.matches ? match.distance == 0 : match.distance > 0 && match.distance <= 1)
    }

    @Test(arguments: [
        ("now +1 months", "last day of month", true, "2024-02-29T00:00:00Z"),
        ("now +1 months", "last day of month", false, "2024-02-29T00:00:00Z"),
        ("now +15 days", "first day of month", false, "2024-01-16T00:00:00Z"),
        ("now -1 years", "first day of next year", false, "2024-01-01T00:00:00Z"),
        ("now", "first minute of hour", false, "2024-01-31T10:00:00Z"),
        ("now +2 hours", "first second of minute", false, "2024-01-31T12:20:00Z"),
        ("now", "last day of year", false, "2024-12-31T00:00:00Z"),
        ("now", "first day of next month", false, "2024-02-01T00:00:00Z"),
    ])
    func `Times are truncated and moved`(text: String, truncation: String, isLast: Bool, expected: String) throws {
        let matcher = Field([
            "equalToDateTime": .string(text), "truncateExpected": .string(truncation),
            "applyTruncationLast": .bool(isLast),
        ])
        let pattern = try DateTimePattern(.equalToDateTime, try #require(matcher["equalToDateTime"]), matcher)
        let now = try #require(CivilTime("2024-01-31T10:20:30Z"))
        #expect(pattern.matches(expected, now: now))
        #expect(!pattern.matches("2024-01-31T10:20:30Z", now: now))
    }
}
