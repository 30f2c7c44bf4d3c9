import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct RequestPatternTests {
    static let formType = "application/x-www-form-urlencoded"
    static let files =
        "--xyz\r\nContent-Disposition: form-data; name=\"info\"\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{\"a\":1}\r\n"
        + "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--xyz--\r\n"

    /// A matcher for a header field, and the field's values.
    static func header(_ matcher: String, _ values: [String], _ matches: Bool) -> PatternCase {
        PatternCase(#"{"headers":{"X-A":{\#(matcher)}}}"#, "GET /", values.map { ("x-a", $0) }, matches: matches)
    }

    /// A matcher for a body.
    static func body(_ matcher: String, _ body: String, _ matches: Bool) -> PatternCase {
        PatternCase(#"{"bodyPatterns":[{\#(matcher)}]}"#, "POST /", body: body, matches: matches)
    }

    /// A matcher for the field `a` of a form.
    static func form(_ matcher: String, _ body: String, _ matches: Bool) -> PatternCase {
        let type = [("content-type", formType)]
        return PatternCase(#"{"formParameters":{"a":{\#(matcher)}}}"#, "POST /", type, body: body, matches: matches)
    }

    /// Matchers for the parts of a form.
    static func parts(_ matcher: String, _ body: String, _ matches: Bool) -> PatternCase {
        let type = [("content-type", "multipart/form-data; boundary=xyz")]
        return PatternCase(#"{"multipartPatterns":[{\#(matcher)}]}"#, "POST /", type, body: body, matches: matches)
    }

    static let urls: [PatternCase] = [
        .takes("{}", "DELETE /anything?x"),
        .takes(#"{"method":"ANY"}"#, "PATCH /"),
        .takes(#"{"method":"get"}"#),
        .refuses(#"{"method":"GET"}"#, "POST /"),
        .takes(#"{"url":"/a?b=1"}"#, "GET /a?b=1"),
        .refuses(#"{"url":"/a?b=1"}"#, "GET /a?b=2"),
        .refuses(#"{"url":"/a"}"#, "GET /a?b=1"),
        .takes(#"{"urlPath":"/a"}"#, "GET /a?b=1"),
        .takes(#"{"urlPath":"/a b"}"#, "GET /a%20b"),
        .refuses(#"{"urlPath":"/a"}"#, "GET /a/b"),
        .takes(#"{"urlPattern":"/a\\?b=[0-9]+"}"#, "GET /a?b=12"),
        .refuses(#"{"urlPattern":"/a"}"#, "GET /a/b"),
        .takes(#"{"urlPathPattern":"/users/[0-9]+"}"#, "GET /users/7?x=1"),
        .refuses(#"{"urlPathPattern":"/users/[0-9]+"}"#, "GET /users/x"),
        .takes(#"{"urlPathTemplate":"/users/{id}/x"}"#, "GET /users/7/x"),
        .refuses(#"{"urlPathTemplate":"/users/{id}/x"}"#, "GET /users/7"),
        .takes(#"{"urlPathTemplate":"/u/{id}","pathParameters":{"id":{"equalTo":"a/b"}}}"#, "GET /u/a%2Fb"),
        .refuses(#"{"urlPathTemplate":"/u/{id}","pathParameters":{"id":{"matches":"[0-9]+"}}}"#, "GET /u/x"),
    ]

    static let values: [PatternCase] = [
        header(#""equalTo":"b""#, ["b"], true),
        header(#""equalTo":"b""#, ["B"], false),
        header(#""equalTo":"b","caseInsensitive":true"#, ["B"], true),
        .takes(#"{"headers":{"X-A":"b"}}"#, "GET /", [("x-a", "c"), ("x-a", "b")]),
        header(#""absent":true"#, [], true),
        header(#""absent":true"#, [""], false),
        header(#""absent":false"#, ["b"], true),
        header(#""contains":"bc""#, ["abcd"], true),
        header(#""doesNotContain":"bc""#, ["abd"], true),
        header(#""matches":"a+""#, ["aaa"], true),
        header(#""matches":"a+""#, ["aab"], false),
        header(#""doesNotMatch":"a+""#, ["aab"], true),
        header(#""not":{"equalTo":"b"}"#, ["c"], true),
        header(#""or":[{"equalTo":"b"},{"absent":true}]"#, [], true),
        header(#""and":[{"contains":"b"},{"contains":"c"}]"#, ["b"], false),
        header(#""hasExactly":[{"equalTo":"b"},{"equalTo":"c"}]"#, ["c", "b"], true),
        header(#""hasExactly":[{"equalTo":"b"}]"#, ["c", "b"], false),
        header(#""includes":[{"equalTo":"b"}]"#, ["c", "b"], true),
        header(#""hasExactly":[{"contains":"b"},{"equalTo":"b"}]"#, ["b", "ab"], true),
        header(#""hasExactly":[{"contains":"b"},{"equalTo":"b"}]"#, ["ab", "ac"], false),
        header(#""includes":[{"contains":"a"},{"contains":"b"}]"#, ["ab"], true),
        header(#""before":"2030-01-01T00:00:00Z""#, ["2029-12-31T23:59:59Z"], true),
        header(#""after":"2030-01-01T00:00:00Z""#, ["2029-12-31"], false),
        header(#""equalToDateTime":"2030-01-01T02:00:00+02:00""#, ["2030-01-01T00:00:00Z"], true),
        .takes(#"{"cookies":{"a":{"equalTo":"1"}}}"#, "GET /", [("cookie", "b=2; a=1")]),
        .refuses(#"{"cookies":{"a":{"equalTo":"1"}}}"#, "GET /", [("cookie", "b=1")]),
        .takes(#"{"queryParameters":{"q":{"equalTo":"a b&c"}}}"#, "GET /?q=a+b%26c"),
        .takes(#"{"queryParameters":{"q":{"equalTo":""}}}"#, "GET /?q"),
        .refuses(#"{"queryParameters":{"q":{"equalTo":"x"}}}"#),
    ]

    static let bodies: [PatternCase] = [
        body(#""equalToJson":{"a":[1,2]}"#, #"{ "a" : [1, 2.0] }"#, true),
        body(#""equalToJson":"{\"a\":1}""#, #"{"a":1}"#, true),
        body(#""equalToJson":{"a":[1,2]}"#, #"{"a":[2,1]}"#, false),
        body(#""equalToJson":{"a":[1,2]},"ignoreArrayOrder":true"#, #"{"a":[2,1]}"#, true),
        body(#""equalToJson":{"a":1}"#, #"{"a":1,"b":2}"#, false),
        body(#""equalToJson":{"a":1},"ignoreExtraElements":true"#, #"{"a":1,"b":2}"#, true),
        body(#""equalToJson":{"a":1}"#, "no JSON", false),
        body(#""matchesJsonPath":"$.a.b""#, #"{"a":{"b":1}}"#, true),
        body(#""matchesJsonPath":"$.a.c""#, #"{"a":{"b":1}}"#, false),
        body(#""matchesJsonPath":"$.x[?(@.n == 'b' && @.v > 1)]""#, #"{"x":[{"n":"a","v":9},{"n":"b","v":2}]}"#, true),
        body(#""matchesJsonPath":"$.x[?(@.n == 'b' && @.v > 2)]""#, #"{"x":[{"n":"a","v":9},{"n":"b","v":2}]}"#, false),
        body(#""matchesJsonPath":{"expression":"$..n","equalTo":"b"}"#, #"{"x":[{"n":"a"},{"n":"b"}]}"#, true),
        body(#""matchesJsonPath":{"expression":"$.x[0].n","equalTo":"b"}"#, #"{"x":[{"n":"a"},{"n":"b"}]}"#, false),
        body(#""matchesJsonPath":{"expression":"$.x","absent":true}"#, "{}", true),
        body(#""binaryEqualTo":"AQID""#, "\u{1}\u{2}\u{3}", true),
        .takes(#"{"bodyPatterns":[{"contains":"a"},{"contains":"b"}]}"#, "POST /", body: "ab"),
        .refuses(#"{"bodyPatterns":[{"contains":"a"},{"contains":"c"}]}"#, "POST /", body: "ab"),
        .takes(#"{"json":{"a":1}}"#, "POST /", body: #"{"a":1,"b":2}"#),
        .takes(
            #"{"variables":{"agree":true,"name":{"contains":"x"}}}"#,
            "POST /",
            body: #"{"agree":true,"name":"xy"}"#
        ),
        .refuses(#"{"variables":{"agree":true}}"#, "POST /", body: #"{"agree":"true"}"#),
        .refuses(#"{"variables":{"agree":true}}"#, "POST /", body: "{}"),
        .takes(#"{"variables":{"agree":{"absent":true}}}"#),
    ]

    static let forms: [PatternCase] = [
        form(#""equalTo":"b c""#, "x=1&a=b+c", true),
        form(#""equalTo":"b""#, "a=c", false),
        .refuses(#"{"formParameters":{"a":{"equalTo":"b"}}}"#, "POST /", [("content-type", "text/plain")], body: "a=b"),
        form(#""hasExactly":[{"equalTo":"1"},{"equalTo":"2"}]"#, "a=2&a=1", true),
        parts(
            #""headers":{"Content-Disposition":{"contains":"name=\"info\""}},"bodyPatterns":[{"equalToJson":"{\"a\":1}"}]"#,
            files,
            true
        ),
        parts(#""name":"file","bodyPatterns":[{"equalTo":"hello"}]"#, files, true),
        parts(#""fileName":"a.txt","bodyPatterns":[{"binaryEqualTo":"aGVsbG8="}]"#, files, true),
        parts(#""name":"info","bodyPatterns":[{"equalTo":"hello"}]"#, files, false),
        parts(#""matchingType":"ALL","bodyPatterns":[{"contains":"hello"}]"#, files, false),
        parts(#""matchingType":"ALL","headers":{"Content-Disposition":{"contains":"form-data"}}"#, files, true),
        .refuses(#"{"multipartPatterns":[{"name":"info"}]}"#, "POST /", [("content-type", formType)], body: "a=b"),
        parts(#""name":"info""#, "--xyz\r\nbroken", false),
        parts(#""name":"info""#, "--xyz--", false),
    ]

    static let facts: [PatternCase] = [
        .takes(#"{"host":{"equalTo":"a.example"}}"#, "GET /", [("host", "a.example:8080")]),
        .refuses(#"{"host":{"equalTo":"a.example"}}"#, "GET /", [("host", "b.example")]),
        .takes(#"{"port":8080}"#, "GET /", [("host", "[::1]:8080")]),
        .refuses(#"{"port":8080}"#, "GET /", [("host", "a.example")]),
        .takes(#"{"port":80,"host":{"equalTo":"::1"}}"#, "GET /", [("host", "[::1]")]),
        .takes(#"{"scheme":"http"}"#),
        .refuses(#"{"scheme":"https"}"#),
        .takes(#"{"clientIp":{"equalTo":"127.0.0.1"}}"#),
        .refuses(#"{"clientIp":{"matches":"10\\..*"}}"#),
        .takes(#"{"basicAuth":{"username":"u","password":"p"}}"#, "GET /", [("authorization", "Basic dTpw")]),
        .refuses(
            #"{"basicAuthCredentials":{"username":"u","password":"p"}}"#,
            "GET /",
            [("authorization", "Basic dTpx")]
        ),
        .takes(#"{"method":{"oneOf":["GET","PUT"]}}"#, "PUT /"),
        .refuses(#"{"method":{"oneOf":["GET","PUT"]}}"#, "POST /"),
        .refuses(#"{"method":{"noneOf":["GET","PUT"]}}"#, "PUT /"),
        .takes(#"{"method":{"noneOf":["GET","PUT"]}}"#, "POST /"),
        .takes(#"{"method":"GET_OR_HEAD"}"#, "HEAD /"),
        header(#""greaterThanNumber":3"#, ["3.5"], true),
        header(#""lessThanEqualNumber":3"#, ["4"], false),
        header(#""equalToNumber":3"#, ["three"], false),
        header(#""anything":"anything""#, [], true),
    ]

    static let documents: [PatternCase] = [
        body(#""equalToXml":"<a x='1' y='2'><b>c</b></a>""#, "<!-- - --><a y='2' x='1'>\n <b> c </b>\n</a>", true),
        body(#""equalToXml":"<a><b/><c/></a>""#, "<a><c/><b/></a>", true),
        body(#""equalToXml":"<a><b>1</b><b>2</b></a>""#, "<a><b>2</b><b>1</b></a>", false),
        body(#""equalToXml":"<a><b>1</b><b>2</b></a>","ignoreOrderOfSameNode":true"#, "<a><b>2</b><b>1</b></a>", true),
        body(#""equalToXml":"<a/>""#, "<a>text</a>", false),
        body(#""equalToXml":"<a x='1'/>""#, "<a x='1' y='2'/>", false),
        body(#""equalToXml":"<a x='1'/>","exemptedComparisons":["ELEMENT_NUM_ATTRIBUTES"]"#, "<a x='1' y='2'/>", true),
        body(#""equalToXml":"<a>x</a>","exemptedComparisons":["TEXT_VALUE"]"#, "<a>y</a>", true),
        body(#""equalToXml":"<a>x</a>","exemptedComparisons":["ELEMENT_TAG_NAME"]"#, "<b>x</b>", true),
        body(#""equalToXml":"<n:a xmlns:n='urn:1'/>""#, "<a xmlns='urn:1'/>", true),
        body(#""equalToXml":"<n:a xmlns:n='urn:1'/>""#, "<n:a xmlns:n='urn:2'/>", false),
        body(#""equalToXml":"<n:a xmlns:n='urn:1'/>","namespaceAwareness":"NONE""#, "<a xmlns='urn:1'/>", false),
        body(#""equalToXml":"<a>${xmlunit.ignore}</a>","enablePlaceholders":true"#, "<a>9</a>", true),
        body(#""equalToXml":"<a>${xmlunit.isNumber}</a>","enablePlaceholders":true"#, "<a>x</a>", false),
        body(#""equalToXml":"<a>${xmlunit.matchesRegex([a-c]{2})}</a>","enablePlaceholders":true"#, "<a>ab</a>", true),
        body(
            #""equalToXml":"<a>[[xmlunit.ignore]]</a>","enablePlaceholders":true,"placeholderOpeningDelimiterRegex":"\\[\\[","placeholderClosingDelimiterRegex":"]]""#,
            "<a/>",
            true
        ),
        body(#""equalToXml":"<a>${xmlunit.ignore}</a>""#, "<a>9</a>", false),
        body(#""equalToXml":"<a/>""#, "no XML", false),
        body(#""matchesXPath":"/todo[count(item) = 2]""#, "<todo><item/><item/></todo>", true),
        body(#""matchesXPath":"/todo[count(item) = 2]""#, "<todo><item/></todo>", false),
        body(
            #""matchesXPath":"/thing/sub[.='x']""#,
            "<t:thing xmlns:t='urn:t' xmlns:s='urn:s'><s:sub>x</s:sub></t:thing>",
            true
        ),
        body(#""matchesXPath":"/a:thing","xPathNamespaces":{"a":"urn:t"}"#, "<t:thing xmlns:t='urn:t'/>", true),
        body(#""matchesXPath":"/a:thing","xPathNamespaces":{"a":"urn:x"}"#, "<t:thing xmlns:t='urn:t'/>", false),
        body(
            #""matchesXPath":{"expression":"//item/text()","contains":"wash"}"#,
            "<t><item>eat</item><item>wash up</item></t>",
            true
        ),
        body(#""matchesXPath":{"expression":"//item","equalToXml":"<item>a</item>"}"#, "<t><item> a </item></t>", true),
        body(#""matchesXPath":{"expression":"//@id","matches":"[0-9]+"}"#, "<t id='x'/>", false),
        body(#""matchesXPath":"//a""#, "a", false),
        body(#""not":{"matchesXPath":"//a"}"#, "<b/>", true),
        body(#""equalToJson":{"a":"${json-unit.regex}[A-Z]+"}"#, #"{"a":"AB"}"#, true),
        body(#""equalToJson":{"a":"${json-unit.regex}[A-Z]+"}"#, #"{"a":"ab"}"#, false),
        body(##""equalToJson":{"a":"#{json-unit.any-number}"}"##, #"{"a":7}"#, true),
        body(#""equalToJson":{"a":1,"b":"${json-unit.ignore-element}"}"#, #"{"a":1}"#, true),
        body(
            ##""matchesJsonPath":"$.things[?(@.name =~ /required.*/i)]""##,
            #"{"things":{"name":"RequiredThing"}}"#,
            true
        ),
        body(
            ##""matchesJsonPath":"$.things[?(@.name =~ /required.*/)]""##,
            #"{"things":[{"name":"RequiredThing"}]}"#,
            false
        ),
        body(#""matchesJsonPath":"$[?(@.things.size() == 2)]""#, #"{"things":[1,2]}"#, true),
        body(#""matchesJsonPath":"$[?(@.things.size() == 2)]""#, #"{"things":[1]}"#, false),
        body(#""matchesJsonPath":{"expression":"$.things.size()","equalTo":"2"}"#, #"{"things":[1,2]}"#, true),
        body(#""matchesJsonPath":"$.a[?(@.n in ['x', 'y'])]""#, #"{"a":[{"n":"y"}]}"#, true),
        body(#""matchesJsonPath":"$['a','b']""#, #"{"b":1}"#, true),
    ]

    static let dates: [PatternCase] = [
        header(#""before":"now""#, ["2001-01-01T00:00:00Z"], true),
        header(#""after":"now +1 days""#, ["2001-01-01T00:00:00Z"], false),
        header(#""before":"now +200 years""#, ["2100-01-01"], true),
        header(#""after":"now","expectedOffset":-100,"expectedOffsetUnit":"years""#, ["2001-01-01T00:00:00Z"], true),
        header(#""equalToDateTime":"2021-06-24T00:00:00","actualFormat":"dd/MM/yyyy""#, ["24/06/2021"], true),
        header(#""equalToDateTime":"2021-06-24T00:00:00","actualFormat":"dd/MM/yyyy""#, ["2021-06-24"], false),
        header(
            #""equalToDateTime":"2021-06-24T13:05:00Z","actualFormat":"d MMM yyyy h:mm a z""#,
            ["24 Jun 2021 1:05 PM UTC"],
            true
        ),
        header(
            #""equalToDateTime":"2020-03-01T00:00:00Z","truncateActual":"first day of month""#,
            ["2020-03-17T11:00:00Z"],
            true
        ),
        header(#""equalToDateTime":"1970-01-01T00:01:40Z","actualFormat":"unix""#, ["100"], true),
        header(
            #""after":"1970-01-01T00:01:40Z","actualFormat":"unix","truncateActual":"first day of next month""#,
            ["9223372036854775807"],
            false
        ),
        header(#""equalToDateTime":"1970-01-01T00:01:40Z","actualFormat":"epoch""#, ["100000"], true),
        header(#""equalToDateTime":"2021-06-01T15:16:17Z""#, ["Tue, 01 Jun 2021 15:16:17 GMT"], true),
        header(#""equalToDateTime":"1994-11-06T08:49:37Z""#, ["Sunday, 06-Nov-94 08:49:37 GMT"], true),
        header(#""equalToDateTime":"1994-11-06T08:49:37Z""#, ["Sun Nov  6 08:49:37 1994"], true),
        header(#""equalToDateTime":"2021-06-24T12:40:27""#, ["2021-06-24T12:40:27+05:00"], true),
        header(#""equalToDateTime":"2021-06-24T12:40:27Z""#, ["2021-06-24T12:40:27+05:00"], false),
        header(#""before":"2030-01-01T00:00:00Z""#, ["not a date"], false),
        header(#""before":"2030-01-01T00:00:00Z""#, ["2021-13-45"], false),
    ]

    @Test(arguments: urls + values + bodies + forms + facts + documents + dates)
    func `A pattern takes what it says and nothing else`(test: PatternCase) throws {
        let pattern = try RequestPattern(json: JSONValue(parsing: test.pattern))
        let request = try test.request()
        #expect(pattern.matches(request) == test.matches)
        let match = pattern.match(request)
        #expect(match.isMatch == test.matches)
        #expect(test.matches ? match.distance == 0 : match.distance > 0 && match.distance <= 1)
    }

    @Test(
        arguments: cases(
            ##"""
            {"method":"A B"} → method: 'A B' isn't a method; write one such as GET, or ANY
            {"url":"/a","urlPath":"/b"} → The keys "url" and "urlPath" contradict each other. Keep one of them.
            {"url":7} → url: "url" is the number 7, but must be a string: mocks refuse this.
            {"urlPattern":"("} → urlPattern: '(' isn't a regular expression:␣
            {"urlPathTemplate":"/a{b}"} → urlPathTemplate: '/a{b}' isn't a path with parameters; write one such as /users/{id}
            {"headers":{"A":{}}} → headers.A: it has no operator; write {"equalTo": …}, or another of equalTo,␣
            {"headers":{"A":{"equalsTo":"b"}}} → headers.A.equalsTo: A matcher has no key "equalsTo", so mocks refuse this. Write "equalTo", if
            {"urll":"/a"} → urll: A request has no key "urll", so mocks refuse this. Write "url", if
            {"customMatcher":{"name":"x"}} → customMatcher: A request has no key "customMatcher", so mocks refuse this. Matchers can't be programs here
            {"headers":{"A":{"equalTo":"b","contains":"c"}}} → headers.A: equalTo or contains are side by side, but only one counts; put them into a list under 'and'
            {"urlPathTemplate":"/a/{id}","pathParameters":{"di":{"equalTo":"1"}}} → pathParameters.di: 'di' isn't a parameter of /a/{id}; did you mean 'id'?
            {"multipartPatterns":[{"header":{}}]} → multipartPatterns[0].header: A part has no key "header", so mocks refuse this. Write "headers", if
            {"scheme":"ftp"} → scheme: "scheme" is "ftp", which is unknown: mocks refuse this. Write one of "http", "https".
            {"bodyPatterns":[{"matchesXPath":"//["}]} → bodyPatterns[0].matchesXPath: '//[' can't be followed: it isn't XPath 1.0
            {"bodyPatterns":[{"equalToXml":"<a"}]} → bodyPatterns[0].equalToXml: the text isn't XML:␣
            {"bodyPatterns":[{"equalToXml":"<a>${xmlunit.isX}</a>","enablePlaceholders":true}]} → bodyPatterns[0].equalToXml: the placeholder 'xmlunit.isX' is not known here;␣
            {"bodyPatterns":[{"equalToJson":{"a":"${json-unit.matches:x}"}}]} → bodyPatterns[0].equalToJson.a: the placeholder␣
            {"headers":{"A":{"before":"now +3 dayz"}}} → headers.A.before: 'now +3 dayz' isn't a known time;␣
            {"headers":{"A":{"before":"-9223372036854775808 days"}}} → headers.A.before: '-9223372036854775808 days' isn't a known time;␣
            {"headers":{"A":{"before":"now","truncateExpected":"monday"}}} → headers.A.truncateExpected: 'monday' isn't a truncation; write first second of minute,␣
            {"headers":{"A":{"equalTo":"b","actualFormat":"yyyy"}}} → headers.A.actualFormat: there is no key 'actualFormat'
            {"headers":{"A B":"c"}} → headers.A B: 'A B' can't be the name of a header field
            {"bodyPatterns":[{"matchesJsonPath":"a.b"}]} → bodyPatterns[0].matchesJsonPath: 'a.b' isn't a known JSON path;␣
            {"bodyPatterns":[{"equalToJson":"{"}]} → bodyPatterns[0].equalToJson: the text is not JSON:␣
            {"bodyPatterns":[{"and":[]}]} → bodyPatterns[0].and: the list is empty; write at least one matcher
            [] → Mocks read a request here, which is an object, but this document is an array.
            """##
        )
    )
    func `A pattern that can't be read says where and why`(json: String, message: String) throws {
        let value = try JSONValue(parsing: json)
        let error = #expect(throws: StubError.self) { try RequestPattern(json: value) }
        #expect(try #require(error).description.hasPrefix(message), "\(error?.description ?? "")")
    }

    @Test func `A request that doesn't match is told every condition that failed`() throws {
        let pattern = try RequestPattern(
            json: [
                "method": "POST", "urlPath": "/users", "headers": ["X-A": ["equalTo": "b"]],
                "variables": ["agree": true],
            ]
        )
        let request = try MockRequest(.get, "/user", headers: [:], body: Array(#"{"agree":false}"#.utf8))
        #expect(
            pattern.match(request).failures.map(\.description) == [
                "method: POST is expected, but it is GET",
                #"url: "/users" is expected, but it is "/user""#,
                #"header X-A: "b" is expected, but there is none"#,
                "variable agree: true is expected, but it is false",
            ]
        )
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
        let matcher = LocatedValue([
            "equalToDateTime": .string(text), "truncateExpected": .string(truncation),
            "applyTruncationLast": .bool(isLast),
        ])
        let pattern = try DateTimePattern(.equalToDateTime, try #require(matcher["equalToDateTime"]), matcher)
        let now = try #require(CivilTime("2024-01-31T10:20:30Z"))
        #expect(pattern.matches(expected, now: now))
        #expect(!pattern.matches("2024-01-31T10:20:30Z", now: now))
    }
}
