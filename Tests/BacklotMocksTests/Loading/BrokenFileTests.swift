import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct BrokenFileTests {
    @Test(
        arguments: triples(
            """
            a.get.json → {⏎  "a": 1,⏎} → \
            a.get.json:2:9: this is no JSON: a comma stands before the end of the array or object; remove it
            a.get.json → ∅ → a.get.json:1:1: this is no JSON: the document is empty; write a value, such as {} or null
            a.get.json → {"a": "{{pth.id}}"} → \
            a.get.json:1:8: {{pth.id}} begins with none of path, variables, query, headers, cookies, session, request, counter, now, random, data, parameters, row, message or round; did you mean 'path'?
            a.get.json → {⏎"a": "{{path.id"} → a.get.json:2:7: the tag has no end: write }} after its name
            a.get.json → {"a": [{{#variables.x}}1{{/variables.y}}]} → \
            a.get.json:1:25: a section is closed that isn't the one that is open; write {{/name}} with its name
            a.get.yaml → status: 200⏎bdy: x⏎ → \
            a.get.yaml:2:1: A route file has no key "bdy", so mocks refuse this. Write "body", if that is what you mean, or remove it.
            a.get.yaml → status: 2000⏎ → \
            a.get.yaml:1:9: "status" is 2000, but must be a whole number from 200 to 599: mocks refuse this.
            a.get.yaml → status: two⏎ → a.get.yaml:1:9: "status" is "two", but must be a number from 200 to 599 as a text:␣
            a.get.yaml → a: b: c⏎ → \
            a.get.yaml:1:5: this isn't YAML: mapping values are not allowed in this context; check the indentation
            a.get.yaml → status: 200⏎status: 201⏎ → a.get.yaml:2:1: the key status is written twice; remove one of the two
            a.get.yaml → - 1⏎ → a.get.yaml:1:1: Mocks read a route file here, which is an object, but this document is an array.
            a.get.yaml → body: a⏎jsonBody: {}⏎ → \
            a.get.yaml:1:1: The keys "body" and "jsonBody" contradict each other. Keep one of them.
            a.get.yaml → request:⏎  url: /b⏎ → \
            a.get.yaml:2:3: A request has no key "url", so mocks refuse this. The file's name determines its requests: remove this key, or move it to another file.
            a.get.yaml → request:⏎  headers:⏎    Accept: {equalsTo: x}⏎ → \
            a.get.yaml:3:14: A matcher has no key "equalsTo", so mocks refuse this. Write "equalTo", if that is what you mean, or remove it.
            a.get.yaml → request:⏎  headers:⏎    Accept: {}⏎ → \
            a.get.yaml:3:13: it has no operator; write {"equalTo": …}, or another of equalTo
            a.get.yaml → fault: CONECTION_RESET⏎ → \
            a.get.yaml:1:8: "fault" is "CONECTION_RESET", which is unknown: mocks refuse this. Write one of "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE".
            a.get.yaml → newScenarioState: on⏎ → a.get.yaml:1:19: a state belongs to a scenario; write its scenarioName too
            a.get.yaml → responses: []⏎ → a.get.yaml:1:12: the list is empty; write at least one answer
            a.get.yaml → responses:⏎  - status: 200⏎status: 201⏎ → \
            a.get.yaml:3:1: beside 'responses' stand scenarioName, requiresLogin or template only; move 'status' into one of the responses
            a.get.yaml → proxyBaseUrl: ftp://a⏎ → \
            a.get.yaml:1:15: "ftp://a" can't be requested; write a URL such as http://127.0.0.1:9000
            a.get.yaml → bodyFileName: ../a.txt⏎ → \
            a.get.yaml:1:15: __files/../a.txt isn't a path to a file in the folder; '..' and names with a dot at their start are not followed
            a.get.yaml → bodyFileName: a.txt⏎ → a.get.yaml:1:15: __files/a.txt is not there, or is no regular file
            a.get.yaml → delay: 2s⏎ → \
            a.get.yaml:1:1: A route file has no key "delay", so mocks refuse this. Write "fixedDelayMilliseconds", such as fixedDelayMilliseconds: 2000.
            a.get.yaml → delayDistribution: {type: normal}⏎ → \
            a.get.yaml:1:27: There is no distribution "normal", so mocks refuse this. Write "lognormal", if that is what you mean.
            a.get.yaml → delayDistribution: {type: uniform, lower: 5, upper: 2}⏎ → \
            a.get.yaml:1:53: the upper delay, 2, is below the lower one
            a.get.yaml → headers: {A B: c}⏎ → a.get.yaml:1:11: 'A B' can't be the name of a header field
            a.rpc.yaml → logIn: "{{variable.name}}"⏎ → \
            a.rpc.yaml:1:9: {{variable.name}} begins with none of path, variables, query, headers, cookies, session, request, counter, now, random, data, parameters, row, message or round; did you mean 'variables'?
            a.rpc.yaml → logIn: x⏎logOut: true⏎ → a.rpc.yaml:1:1: a response logs in or out; keep one of logIn and logOut
            a.page.yaml → status: 200⏎ → a.page.yaml:1:1: there is no page; write it under 'page:', beginning with typ: nav_page
            a.page.json → {"page":{"typ":"nav_page","title":"A",⏎"widget":{"typ":"txt","text":"a"}}} → \
            a.page.json:2:17: txt "a": There is no widget "txt"
            a.page.json → {"typ":"nav_page",⏎"widget":{"typ":"empty"}} → a.page.json:1:1:␣
            a.page.yaml → typ: nav_page⏎title: A⏎widget:⏎  typ: text⏎  text: 7⏎ → a.page.yaml:5:9:␣
            a.page.yaml → page:⏎  typ: nav_page⏎  title: A⏎  widget:⏎    typ: text⏎    text: 7⏎ → a.page.yaml:6:11:␣
            a.page.json → {"typ":"nav_page","title":"A","widget":{"typ":"form","widgets":[⏎{"typ":"textfield","var_name":"x"},⏎{"typ":"textfield","var_name":"x"}]}} → \
            a.page.json:
            mappings/a.json → {"request":{"url":"/a"},⏎"response":{"body":"{{jsonPath request.body '$a'}}",⏎"transformers":["response-template"]}} → \
            mappings/a.json:2:21: '$a' isn't a known JSON path
            mappings/a.json → {"requst":{"url":"/a"},⏎"response":{}} → \
            mappings/a.json:1:2: A mapping has no key "requst", so mocks refuse this. Write "request", if that is what you mean, or remove it.
            mappings/a.json → {"request":{"method":"GET",⏎ "urll":"/a"}} → \
            mappings/a.json:2:2: A request has no key "urll", so mocks refuse this. Write "url", if that is what you mean, or remove it.
            mappings/a.json → {"request":{},⏎"response":{"proxyBaseUrl":"http://a","additionalProxyRequestHeaders":{"Host":"b"}}} → \
            mappings/a.json:2:72: 'Host' is about the connection, and is written by itself
            mappings/a.json → {"request":{},⏎"response":{"proxyBaseUrl":"http://a","additionalProxyRequestHeaders":{"Proxy":"b"}}} → \
            mappings/a.json:2:72: 'Proxy' isn't sent to backends, where programs could take it for their own proxy
            mappings/a.json → {"mappings":[{"request":{"url":1}},⏎{"request":{"url":2}}]} → \
            mappings/a.json:1:32: "url" is the number 1, but must be a string: mocks refuse this. Make "url" a string.⏎mappings/a.json:2:19: "url" is the number 2, but must be a string: mocks refuse this. Make "url" a string.
            """
        )
    )
    func `A broken file is told with its place and what to write`(
        name: String,
        text: String,
        message: String
    ) async throws {
        let found = try await problems(name, text).joined(separator: "\n")
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test(arguments: ["a.page.json", "a.rpc.json"])
    func `A page that isn't UTF-8 is an error`(name: String) async throws {
        try await withMocks([:]) { mocks in
            try mocks.folder.write(Array(#"{"$schema":""#.utf8) + [0xFF] + Array(#""}"#.utf8), to: name)
            let found = mocks.files.scan().problems.map(\.description)
            #expect(found == ["\(name):1:1: the file is not UTF-8; save it as UTF-8"])
        }
    }

    @Test func `Two files for one route are an error`() async throws {
        let found = try await problems("a.page.json", Self.page, others: ["a.get.json": "{}"])
        #expect(
            found == [
                "a.page.json:1:1: GET /a is answered by a.get.json already; remove one of the two, or write both responses into one file, under responses:"
            ]
        )
        let other = try await problems("[id].get.json", "{}", others: ["[name].get.json": "{}"])
        #expect(other.count == 1)
    }

    @Test func `Two stubs with one id are an error`() async throws {
        let stub = #"{"id":"8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7","request":{"url":"/a"}}"#
        let found = try await problems("mappings/b.json", stub, others: ["mappings/a.json": stub])
        #expect(
            found == [
                "mappings/b.json:1:1: the id 8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7 belongs to a stub in mappings/a.json already; write another, or leave it out"
            ]
        )
        let both = try await problems("mappings/a.json", "{\"mappings\":[\(stub),\n\(stub)]}")
        #expect(
            both == [
                "mappings/a.json:2:1: the id 8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7 belongs to another stub of this file; write another, or leave it out"
            ]
        )
    }

    @Test func `All files that are broken are told at once`() async throws {
        let found = try await problems("a.get.json", "{", others: ["b.get.json": "[", "c.get.json": "{}"])
        #expect(found.map { $0.prefix(10) } == ["a.get.json", "b.get.json"])
    }

    static let page = #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"empty"}}}"#
}
