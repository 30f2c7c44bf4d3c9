import Applin
import BacklotHTTP
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Files of traffic as no browser writes them.
@Suite(.timeLimit(.minutes(5))) struct MutatedHARTests {
    private static let file: String = {
        func entry(_ method: String, _ url: String, _ post: String, _ type: String, _ response: String) -> String {
            #"{"startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{"method":"\#(method)","url":"https://h\#(url)","#
                + #""headers":[{"name":"Cookie","value":"sid=abcdef1"},{"name":"Authorization","value":"Basic YTpiY2RlZg=="}],"#
                + #""postData":{"mimeType":"application/json","text":"\#(post)"}},"response":{"status":200,"headers":"#
                + #"[{"name":"Set-Cookie","value":"sid=abcdef2; Path=/"},{"name":"Content-Type","value":"\#(type)"}],"#
                + #""content":{"mimeType":"\#(type)","text":"\#(response)"}}}"#
        }
        let page = #"{\"page\":{\"typ\":\"nav_page\",\"title\":\"T\",\"widget\":{\"typ\":\"empty\"}}}"#
        let entries = [
            entry("GET", "/a/1?q=x", "", "application/vnd.applin_response", page),
            entry("POST", "/in", #"{\"username\":\"x\",\"password\":\"hunter22\"}"#, "text/plain", ""),
            entry("GET", "/a/1?q=x", "", "application/json", #"[{\"n\":4111111111111111,\"m\":\"a@b.example\"}]"#),
            entry("DELETE", "/a/%7B2%7D", "<a>{{x}}</a>", "text/html", "<p>{{y}}</p>"),
            entry("PUT", "/a/3", "a=1&b=2", "image/png", "x"),
        ]
        return #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
    }()

    @Test(arguments: 0..<4)
    func `What can be read becomes files that can be served`(seed: Int) async throws {
        var mutator = Mutator(
            random: SeededGenerator(seed: UInt64(seed)),
            tokens: [
                "{", "}", "[id]", "null", "-1", "\\\"", "\\u0000", "%2F", "../", "//", "{{", "\\n", ":", "é", "?", "0",
            ]
            .map { Array($0.utf8) }
        )
        var read = 0
        for _ in 0..<150 {
            guard let recording = try? HARRecording(mutator.mutate(Array(Self.file.utf8))) else { continue }
            read += 1
            var redaction = Redaction()
            let routes = RouteRecording(redaction.redacted(recording.exchanges), formats: [.applin()])
            try await withTemporaryFolder { folder in
                try RecordingWriter(folder.path).write(routes.files)
                let configuration = MockConfiguration(formats: [.applin()])
                let problems = try RouteFiles(folder.path, backend: MockBackend(configuration)).scan().problems
                #expect(problems.isEmpty, "\(routes.texts)")
            }
        }
        #expect(read > 20)
    }
}
