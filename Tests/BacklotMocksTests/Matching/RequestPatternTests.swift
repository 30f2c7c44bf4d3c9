import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct RequestPatternTests {
    static let urls: [PatternCase] = [
        .takes("{}", "DELETE", "/anything?x"),
        .takes(#"{"method":"ANY"}"#, "PATCH"),
        .takes(#"{"method":"get"}"#),
        .refuses(#"{"method":"GET"}"#, "POST"),
        .takes(#"{"url":"/a?b=1"}"#, "GET", "/a?b=1"),
        .refuses(#"{"url":"/a?b=1"}"#, "GET", "/a?b=2"),
        .refuses(#"{"url":"/a"}"#, "GET", "/a?b=1"),
        .takes(#"{"urlPath":"/a"}"#, "GET", "/a?b=1"),
        .takes(#"{"urlPath":"/a b"}"#, "GET", "/a%20b"),
        .refuses(#"{"urlPath":"/a"}"#, "GET", "/a/b"),
        .takes(#"{"urlPattern":"/a\\?b=[0-9]+"}"#, "GET", "/a?b=12"),
        .refuses(#"{"urlPattern":"/a"}"#, "GET", "/a/b"),
        .takes(#"{"urlPathPattern":"/users/[0-9]+"}"#, "GET", "/users/7?x=1"),
        .refuses(#"{"urlPathPattern":"/users/[0-9]+"}"#, "GET", "/users/x"),
        .takes(#"{"urlPathTemplate":"/users/{id}/x"}"#, "GET", "/users/7/x"),
        .refuses(#"{"urlPathTemplate":"/users/{id}/x"}"#, "GET", "/users/7"),
        .takes(#"{"urlPathTemplate":"/u/{id}","pathParameters":{"id":{"equalTo":"a/b"}}}"#, "GET", "/u/a%2Fb"),
        .refuses(#"{"urlPathTemplate":"/u/{id}","pathParameters":{"id":{"matches":"[0-9]+"}}}"#, "GET", "/u/x"),
    ]

    static let values: [PatternCase] = [
        .takes(#"{"headers":{"X-A":{"equalTo":"b"}}}"#, "GET", "/", [("x-a", "b")]),
        .refuses(#"{"headers":{"X-A":{"equalTo":"b"}}}"#, "GET", "/", [("x-a", "B")]),
        .takes(#"{"headers":{"X-A":{"equalTo":"b","caseInsensitive":true}}}"#, "GET", "/", [("x-a", "B")]),
        .takes(#"{"headers":{"X-A":"b"}}"#, "GET", "/", [("x-a", "c"), ("x-a", "b")]),
        .takes(#"{"headers":{"X-A":{"absent":true}}}"#),
        .refuses(#"{"headers":{"X-A":{"absent":true}}}"#, "GET", "/", [("x-a", "")]),
        .takes(#"{"headers":{"X-A":{"absent":false}}}"#, "GET", "/", [("x-a", "b")]),
        .takes(#"{"headers":{"X-A":{"contains":"bc"}}}"#, "GET", "/", [("x-a", "abcd")]),
        .takes(#"{"headers":{"X-A":{"doesNotContain":"bc"}}}"#, "GET", "/", [("x-a", "abd")]),
        .takes(#"{"headers":{"X-A":{"matches":"a+"}}}"#, "GET", "/", [("x-a", "aaa")]),
        .refuses(#"{"headers":{"X-A":{"matches":"a+"}}}"#, "GET", "/", [("x-a", "aab")]),
        .takes(#"{"headers":{"X-A":{"doesNotMatch":"a+"}}}"#, "GET", "/", [("x-a", "aab")]),
        .takes(#"{"headers":{"X-A":{"not":{"equalTo":"b"}}}}"#, "GET", "/", [("x-a", "c")]),
        .takes(#"{"headers":{"X-A":{"or":[{"equalTo":"b"},{"absent":true}]}}}"#),
        .refuses(#"{"headers":{"X-A":{"and":[{"contains":"b"},{"contains":"c"}]}}}"#, "GET", "/", [("x-a", "b")]),
        .takes(
            #"{"headers":{"X-A":{"hasExactly":[{"equalTo":"b"},{"equalTo":"c"}]}}}"#,
            "GET",
            "/",
            [("x-a", "c"), ("x-a", "b")]
        ),
        .refuses(#"{"headers":{"X-A":{"hasExactly":[{"equalTo":"b"}]}}}"#, "GET", "/", [("x-a", "c"), ("x-a", "b")]),
        .takes(#"{"headers":{"X-A":{"includes":[{"equalTo":"b"}]}}}"#, "GET", "/", [("x-a", "c"), ("x-a", "b")]),
        .takes(
            #"{"headers":{"X-T":{"before":"2030-01-01T00:00:00Z"}}}"#,
            "GET",
            "/",
            [("x-t", "2029-12-31T23:59:59Z")]
        ),
        .refuses(#"{"headers":{"X-T":{"after":"2030-01-01T00:00:00Z"}}}"#, "GET", "/", [("x-t", "2029-12-31")]),
        .takes(
            #"{"headers":{"X-T":{"equalToDateTime":"2030-01-01T02:00:00+02:00"}}}"#,
            "GET",
            "/",
            [("x-t", "2030-01-01T00:00:00Z")]
        ),
        .takes(#"{"cookies":{"a":{"equalTo":"1"}}}"#, "GET", "/", [("cookie", "b=2; a=1")]),
        .refuses(#"{"cookies":{"a":{"equalTo":"1"}}}"#, "GET", "/", [("cookie", "b=1")]),
        .takes(#"{"queryParameters":{"q":{"equalTo":"a b&c"}}}"#, "GET", "/?q=a+b%26c"),
        .takes(#"{"queryParameters":{"q":{"equalTo":""}}}"#, "GET", "/?q"),
        .refuses(#"{"queryParameters":{"q":{"equalTo":"x"}}}"#),
    ]

    static let bodies: [PatternCase] = [
        .takes(#"{"bodyPatterns":[{"equalToJson":{"a":[1,2]}}]}"#, "POST", body: #"{ "a" : [1, 2.0] }"#),
        .takes(#"{"bodyPatterns":[{"equalToJson":"{\"a\":1}"}]}"#, "POST", body: #"{"a":1}"#),
        .refuses(#"{"bodyPatterns":[{"equalToJson":{"a":[1,2]}}]}"#, "POST", body: #"{"a":[2,1]}"#),
        .takes(
            #"{"bodyPatterns":[{"equalToJson":{"a":[1,2]},"ignoreArrayOrder":true}]}"#,
            "POST",
            body: #"{"a":[2,1]}"#
        ),
        .refuses(#"{"bodyPatterns":[{"equalToJson":{"a":1}}]}"#, "POST", body: #"{"a":1,"b":2}"#),
        .takes(
            #"{"bodyPatterns":[{"equalToJson":{"a":1},"ignoreExtraElements":true}]}"#,
            "POST",
            body: #"{"a":1,"b":2}"#
        ),
        .refuses(#"{"bodyPatterns":[{"equalToJson":{"a":1}}]}"#, "POST", body: "no JSON"),
        .takes(#"{"bodyPatterns":[{"matchesJsonPath":"$.a.b"}]}"#, "POST", body: #"{"a":{"b":1}}"#),
        .refuses(#"{"bodyPatterns":[{"matchesJsonPath":"$.a.c"}]}"#, "POST", body: #"{"a":{"b":1}}"#),
        .takes(
            #"{"bodyPatterns":[{"matchesJsonPath":"$.x[?(@.n == 'b' && @.v > 1)]"}]}"#,
            "POST",
            body: #"{"x":[{"n":"a","v":9},{"n":"b","v":2}]}"#
        ),
        .refuses(
            #"{"bodyPatterns":[{"matchesJsonPath":"$.x[?(@.n == 'b' && @.v > 2)]"}]}"#,
            "POST",
            body: #"{"x":[{"n":"a","v":9},{"n":"b","v":2}]}"#
        ),
        .takes(
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$..n","equalTo":"b"}}]}"#,
            "POST",
            body: #"{"x":[{"n":"a"},{"n":"b"}]}"#
        ),
        .refuses(
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.x[0].n","equalTo":"b"}}]}"#,
            "POST",
            body: #"{"x":[{"n":"a"},{"n":"b"}]}"#
        ),
        .takes(#"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.x","absent":true}}]}"#, "POST", body: "{}"),
        .takes(#"{"bodyPatterns":[{"binaryEqualTo":"AQID"}]}"#, "POST", body: "\u{1}\u{2}\u{3}"),
        .takes(#"{"bodyPatterns":[{"contains":"a"},{"contains":"b"}]}"#, "POST", body: "ab"),
        .refuses(#"{"bodyPatterns":[{"contains":"a"},{"contains":"c"}]}"#, "POST", body: "ab"),
        .takes(#"{"json":{"a":1}}"#, "POST", body: #"{"a":1,"b":2}"#),
        .takes(#"{"variables":{"agree":true,"name":{"contains":"x"}}}"#, "POST", body: #"{"agree":true,"name":"xy"}"#),
        .refuses(#"{"variables":{"agree":true}}"#, "POST", body: #"{"agree":"true"}"#),
        .refuses(#"{"variables":{"agree":true}}"#, "POST", body: "{}"),
        .takes(#"{"variables":{"agree":{"absent":true}}}"#),
    ]

    @Test(arguments: urls + values + bodies)
    func `A pattern takes what it says and nothing else`(test: PatternCase) throws {
        let pattern = try RequestPattern(json: JSONValue(parsing: test.pattern))
        let request = try test.request()
        #expect(pattern.matches(request) == test.matches)
        let match = pattern.match(request)
        #expect(match.isMatch == test.matches)
        #expect(test.matches ? match.distance == 0 : match.distance > 0 && match.distance <= 1)
    }

    @Test(arguments: [
        (#"{"method":"A B"}"#, "method: 'A B' is no method; write one such as GET, or ANY"),
        (
            #"{"url":"/a","urlPath":"/b"}"#,
            #"The keys "url" and "urlPath" contradict each other. Keep one of them."#
        ),
        (#"{"url":7}"#, #"url: "url" is the number 7, but must be a string: mocks refuse this."#),
        (#"{"urlPattern":"("}"#, "urlPattern: '(' is no regular expression: "),
        (
            #"{"urlPathTemplate":"/a{b}"}"#,
            "urlPathTemplate: '/a{b}' is no path with parameters; write one such as /users/{id}"
        ),
        (#"{"headers":{"A":{}}}"#, "headers.A: it has no operator; write {\"equalTo\": …}, or another of equalTo, "),
        (
            #"{"headers":{"A":{"equalsTo":"b"}}}"#,
            #"headers.A.equalsTo: A matcher has no key "equalsTo", so mocks refuse this. Write "equalTo", if"#
        ),
        (#"{"urll":"/a"}"#, #"urll: A request has no key "urll", so mocks refuse this. Write "url", if"#),
        (
            #"{"customMatcher":{"name":"x"}}"#,
            #"customMatcher: A request has no key "customMatcher", so mocks refuse this. Matchers are no programs here"#
        ),
        (
            #"{"headers":{"A":{"equalTo":"b","contains":"c"}}}"#,
            "headers.A: equalTo or contains stand side by side, of which one counts; put them into a list under 'and'"
        ),
        (
            #"{"urlPathTemplate":"/a/{id}","pathParameters":{"di":{"equalTo":"1"}}}"#,
            "pathParameters.di: 'di' is no parameter of /a/{id}; did you mean 'id'?"
        ),
        (
            #"{"multipartPatterns":[{"header":{}}]}"#,
            #"multipartPatterns[0].header: A part has no key "header", so mocks refuse this. Write "headers", if"#
        ),
        (
            #"{"scheme":"ftp"}"#,
            #"scheme: "scheme" is "ftp", which is unknown: mocks refuse this. Write one of "http", "https"."#
        ),
        (
            #"{"bodyPatterns":[{"matchesXPath":"//["}]}"#,
            "bodyPatterns[0].matchesXPath: '//[' can't be followed: it is no XPath 1.0"
        ),
        (#"{"bodyPatterns":[{"equalToXml":"<a"}]}"#, "bodyPatterns[0].equalToXml: the text is no XML: "),
        (
            #"{"bodyPatterns":[{"equalToXml":"<a>${xmlunit.isX}</a>","enablePlaceholders":true}]}"#,
            "bodyPatterns[0].equalToXml: the placeholder 'xmlunit.isX' is not known here; "
        ),
        (
            #"{"bodyPatterns":[{"equalToJson":{"a":"${json-unit.matches:x}"}}]}"#,
            "bodyPatterns[0].equalToJson.a: the placeholder "
        ),
        (
            #"{"headers":{"A":{"before":"now +3 dayz"}}}"#,
            "headers.A.before: 'now +3 dayz' is no time that is known here; "
        ),
        (
            #"{"headers":{"A":{"before":"now","truncateExpected":"monday"}}}"#,
            "headers.A.truncateExpected: 'monday' is no truncation; write first second of minute, "
        ),
        (
            #"{"headers":{"A":{"equalTo":"b","actualFormat":"yyyy"}}}"#,
            "headers.A.actualFormat: there is no key 'actualFormat'"
        ),
        (#"{"headers":{"A B":"c"}}"#, "headers.A B: 'A B' can't be the name of a header field"),
        (
            #"{"bodyPatterns":[{"matchesJsonPath":"a.b"}]}"#,
            "bodyPatterns[0].matchesJsonPath: 'a.b' is no JSON path that is known here; "
        ),
        (#"{"bodyPatterns":[{"equalToJson":"{"}]}"#, "bodyPatterns[0].equalToJson: the text is not JSON: "),
        (#"{"bodyPatterns":[{"and":[]}]}"#, "bodyPatterns[0].and: the list is empty; write at least one matcher"),
        ("[]", "Mocks read a request here, which is an object, but this document is an array."),
    ])
    func `A pattern that can't be read says where and why`(json: String, message: String) throws {
        let value = try JSONValue(parsing: json)
        let error = #expect(throws: StubProblem.self) { try RequestPattern(json: value) }
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
}
