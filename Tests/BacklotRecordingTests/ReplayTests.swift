import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Recorded flows, served by mocks and repeated by the same clients.
@Suite(.timeLimit(.minutes(5))) struct ReplayTests {
    private static func page(_ title: String, _ texts: [String] = []) -> String {
        let widgets = texts.map { #"{"typ":"text","text":"\#($0)"}"# }.joined(separator: ",")
        return
            #"{"page":{"typ":"nav_page","title":"\#(title)","widget":{"typ":"form","widgets":[\#(widgets)]}}}"#
    }

    /// A backend with sessions, for as long as it takes to record it.
    private struct Backend {
        var sessions: [String: String] = [:]
        var tasks: [String: [String]] = [:]
        var visits = 0

        mutating func ask(
            _ method: HTTPRequest.Method,
            _ url: String,
            _ body: String,
            session: String?
        ) -> (
            status: Int, body: String, cookie: String?
        ) {
            let variables = (try? JSONValue(parsing: body))?.object
            if url == "/log_in" {
                guard let user = variables?["username"]?.string, variables?["password"]?.string == "correct-\(user)"
                else {
                    return (422, "Wrong password.", nil)
                }
                sessions["secret-session-of-\(user)"] = user
                return (200, "", "sid=secret-session-of-\(user); Path=/; HttpOnly")
            }
            guard let session, let user = sessions[session] else { return (403, "Please log in.", nil) }
            switch (method, url) {
            case (_, "/tasks"): return (200, page("Tasks of \(user)", tasks[user] ?? []), nil)
            case (_, "/visits"):
                visits += 1
                return (200, page("\(visits) visits"), nil)
            case (.post, "/add"):
                tasks[user, default: []].append(variables?["text"]?.string ?? "")
                return (200, "", nil)
            case (.post, "/remove"):
                tasks[user]?.removeAll { $0 == variables?["text"]?.string }
                return (200, "", nil)
            case (.post, "/log_out"):
                sessions[session] = nil
                return (200, "", "sid=; Path=/; Max-Age=0")
            default: return (404, "Nothing.", nil)
            }
        }
    }

    /// What two clients do, interleaved.
    private static let flow: [Flow.Step] = [
        ("a", "GET", "/tasks", ""),
        ("a", "POST", "/log_in", #"{"username":"ann","password":"nonsense"}"#),
        ("b", "GET", "/tasks", ""),
        ("a", "POST", "/log_in", #"{"username":"ann","password":"correct-ann"}"#),
        ("b", "POST", "/log_in", #"{"username":"bob","password":"correct-bob"}"#),
        ("a", "GET", "/tasks", ""),
        ("b", "GET", "/tasks", ""),
        ("a", "POST", "/add", #"{"text":"bread"}"#),
        ("b", "POST", "/add", #"{"text":"milk"}"#),
        ("a", "GET", "/tasks", ""),
        ("b", "GET", "/tasks", ""),
        ("a", "POST", "/add", #"{"text":"milk"}"#),
        ("a", "POST", "/tasks", "{}"),
        ("b", "POST", "/remove", #"{"text":"milk"}"#),
        ("b", "GET", "/tasks", ""),
        ("a", "POST", "/remove", #"{"text":"bread"}"#),
        ("a", "GET", "/tasks", ""),
        ("a", "GET", "/visits", ""),
        ("a", "GET", "/visits", ""),
        ("b", "GET", "/visits", ""),
        ("a", "POST", "/log_out", ""),
        ("a", "GET", "/tasks", ""),
        ("b", "GET", "/tasks", ""),
    ]
    .map { Flow.Step($0.0, $0.1, $0.2, body: Array($0.3.utf8)) }

    private static func record() async throws -> (exchanges: [RecordedExchange], steps: [Flow.Step]) {
        let state = Locked((backend: Backend(), exchanges: [RecordedExchange]()))
        var flow = Flow { step, cookie in
            let method = HTTPRequest.Method(step.method) ?? .get
            let body = String(decoding: step.body, as: UTF8.self)
            return state.withLock { state in
                let found = state.backend.ask(
                    method,
                    step.target,
                    body,
                    session: cookie.map { String($0.dropFirst(4)) }
                )
                let type = found.body.hasPrefix("{") ? "application/vnd.applin_response" : "text/plain; charset=utf-8"
                state.exchanges.append(
                    Traffic.exchange(
                        method,
                        step.target,
                        sends: cookie.map { [("Cookie", $0)] } ?? [],
                        body: body,
                        status: found.status,
                        response: (found.body.isEmpty ? [] : [("Content-Type", type)])
                            + (found.cookie.map { [("Set-Cookie", $0)] } ?? []),
                        found.body
                    )
                )
                return Flow.Response(
                    status: found.status,
                    cookies: [found.cookie].compactMap(\.self),
                    body: Array(found.body.utf8)
                )
            }
        }
        var steps: [Flow.Step] = []
        for step in Self.flow { steps.append(try await flow.take(step)) }
        return (state.withLock { $0.exchanges }, steps)
    }

    @Test func `Two clients get what they got`() async throws {
        let (exchanges, taken) = try await Self.record()
        var redaction = Redaction()
        let redacted = redaction.redacted(exchanges)
        let recording = RouteRecording(redacted, formats: [.applin()])
        #expect(recording.hints == [])
        try await withMocks(recording.texts) { mocks, _ in
            // Clients send what they sent, but for secrets; and new clients begin anew.
            let steps = zip(taken, redacted).map { step, exchange in
                var step = step
                step.body = exchange.requestBody
                return step
            }
            for _ in 0..<2 {
                var flow = Flow { step, cookie in
                    var headers = HTTPFields()
                    if let cookie { headers[.cookie] = cookie }
                    let method = HTTPRequest.Method(step.method) ?? .get
                    let body = String(decoding: step.body, as: UTF8.self)
                    let response = try await mocks.ask(method, step.target, headers: headers, body: body)
                    return Flow.Response(
                        status: response.status.code,
                        cookies: response.headers[values: .setCookie],
                        body: Array(response.text.utf8)
                    )
                }
                let differences = try await flow.differences(steps) { number, _ in redacted[number].responseBody }
                #expect(differences == [])
            }
        }
    }

    @Test func `A flow becomes one file for each route, without secrets`() async throws {
        var redaction = Redaction()
        let exchanges = try await Self.record().exchanges
        let files = RouteRecording(redaction.redacted(exchanges), formats: [.applin()]).texts
        #expect(
            files.keys.sorted() == [
                "add.rpc.yaml", "log_in.rpc.yaml", "log_out.rpc.yaml", "remove.rpc.yaml", "tasks.page.yaml",
                "visits.page.yaml",
            ]
        )
        #expect(files.values.allSatisfy { !$0.contains("secret-session") && !$0.contains("correct-") })
    }

    @Test func `Clients with tokens in place of cookies are told apart`() async throws {
        let token = ["a": "tok-aaaaaaaaaaaa", "b": "tok-bbbbbbbbbbbb"]
        var exchanges: [RecordedExchange] = []
        for (client, value) in token.sorted(by: { $0.key < $1.key }) {
            exchanges.append(Traffic.exchange(.post, "/in", body: #"{"user":"\#(client)"}"#, #"{"token":"\#(value)"}"#))
            exchanges.append(
                Traffic.exchange(.get, "/me", sends: [("Authorization", "Bearer \(value)")], #"{"name":"\#(client)"}"#)
            )
        }
        var redaction = Redaction()
        let redacted = redaction.redacted(exchanges)
        let recording = RouteRecording(redacted, formats: [.applin()])
        #expect(recording.hints == [])
        try await withMocks(recording.texts) { mocks, _ in
            for exchange in redacted {
                var headers = HTTPFields()
                if let value = exchange.requestHeaders[.authorization] { headers[.authorization] = value }
                let body = String(decoding: exchange.requestBody, as: UTF8.self)
                let response = try await mocks.ask(exchange.method, exchange.url, headers: headers, body: body)
                #expect(response.text == String(decoding: exchange.responseBody, as: UTF8.self))
            }
        }
    }
}
