import Applin
import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Recorded flows, served by mocks and repeated by the same clients.
struct ReplayTests {
    /// One step of a client: what it sends, and what it got.
    struct Step: Sendable {
        let client: String
        let method: HTTPRequest.Method
        let url: String
        let body: String
        let status: Int
        let answer: String
    }

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

        mutating func answer(
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
    private static let flow: [(client: String, method: HTTPRequest.Method, url: String, body: String)] = [
        ("a", .get, "/tasks", ""),
        ("a", .post, "/log_in", #"{"username":"ann","password":"nonsense"}"#),
        ("b", .get, "/tasks", ""),
        ("a", .post, "/log_in", #"{"username":"ann","password":"correct-ann"}"#),
        ("b", .post, "/log_in", #"{"username":"bob","password":"correct-bob"}"#),
        ("a", .get, "/tasks", ""),
        ("b", .get, "/tasks", ""),
        ("a", .post, "/add", #"{"text":"bread"}"#),
        ("b", .post, "/add", #"{"text":"milk"}"#),
        ("a", .get, "/tasks", ""),
        ("b", .get, "/tasks", ""),
        ("a", .post, "/add", #"{"text":"milk"}"#),
        ("a", .post, "/tasks", "{}"),
        ("b", .post, "/remove", #"{"text":"milk"}"#),
        ("b", .get, "/tasks", ""),
        ("a", .post, "/remove", #"{"text":"bread"}"#),
        ("a", .get, "/tasks", ""),
        ("a", .get, "/visits", ""),
        ("a", .get, "/visits", ""),
        ("b", .get, "/visits", ""),
        ("a", .post, "/log_out", ""),
        ("a", .get, "/tasks", ""),
        ("b", .get, "/tasks", ""),
    ]

    private static func record() -> (exchanges: [RecordedExchange], steps: [Step]) {
        var backend = Backend()
        var cookies: [String: String] = [:]
        var exchanges: [RecordedExchange] = []
        var steps: [Step] = []
        for (client, method, url, body) in flow {
            let cookie = cookies[client]
            let found = backend.answer(method, url, body, session: cookie.map { String($0.dropFirst(4)) })
            if let set = found.cookie {
                let pair = String(set.prefix { $0 != ";" })
                cookies[client] = pair == "sid=" ? nil : pair
            }
            let type = found.body.hasPrefix("{") ? "application/vnd.applin_response" : "text/plain; charset=utf-8"
            exchanges.append(
                Traffic.exchange(
                    method,
                    url,
                    sends: cookie.map { [("Cookie", $0)] } ?? [],
                    body: body,
                    status: found.status,
                    answer: (found.body.isEmpty ? [] : [("Content-Type", type)])
                        + (found.cookie.map { [("Set-Cookie", $0)] } ?? []),
                    found.body
                )
            )
            steps.append(
                Step(client: client, method: method, url: url, body: body, status: found.status, answer: found.body)
            )
        }
        return (exchanges, steps)
    }

    /// Repeats steps, each client with its own cookies.
    private func replay(_ steps: [(step: Step, body: String, answer: String)], on mocks: Mocks) async throws {
        var cookies: [String: String] = [:]
        for (number, item) in steps.enumerated() {
            let step = item.step
            var headers = HTTPFields()
            if let cookie = cookies[step.client] { headers[.cookie] = cookie }
            let answer = try await mocks.answer(step.method, step.url, headers: headers, body: item.body)
            for value in answer.headers[values: .setCookie] {
                guard let cookie = RecordedCookie(value) else { continue }
                cookies[step.client] = cookie.isRemoval ? nil : "\(cookie.name)=\(cookie.value)"
            }
            #expect(Int(answer.status.code) == step.status, "\(number) \(step.client) \(step.method) \(step.url)")
            #expect(answer.text == item.answer, "\(number) \(step.client) \(step.method) \(step.url)")
        }
    }

    @Test func `Two clients get what they got`() async throws {
        let (exchanges, steps) = Self.record()
        var redaction = Redaction()
        let redacted = redaction.redacted(exchanges)
        let recording = RouteRecording(redacted, formats: [.applin()])
        #expect(recording.hints == [])
        try await withMocks(recording.texts) { mocks in
            // Clients send what they sent, but for secrets.
            let items = zip(steps, redacted).map { step, exchange in
                (
                    step: step, body: String(decoding: exchange.requestBody, as: UTF8.self),
                    answer: String(decoding: exchange.responseBody, as: UTF8.self)
                )
            }
            try await replay(items, on: mocks)
            // New clients begin anew.
            try await replay(items, on: mocks)
        }
    }

    @Test func `The files of a flow`() {
        var redaction = Redaction()
        let files = RouteRecording(redaction.redacted(Self.record().exchanges), formats: [.applin()]).texts
        #expect(
            files.keys.sorted() == [
                "add.rpc.yaml", "log_in.rpc.yaml", "log_out.rpc.yaml", "remove.rpc.yaml", "tasks.page.yaml",
                "visits.page.yaml",
            ]
        )
        #expect(files.values.allSatisfy { !$0.contains("secret-session") && !$0.contains("correct-") })
    }

    @Test func `Clients with tokens and no cookies`() async throws {
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
        try await withMocks(recording.texts) { mocks in
            for exchange in redacted {
                var headers = HTTPFields()
                if let value = exchange.requestHeaders[.authorization] { headers[.authorization] = value }
                let body = String(decoding: exchange.requestBody, as: UTF8.self)
                let answer = try await mocks.answer(exchange.method, exchange.url, headers: headers, body: body)
                #expect(answer.text == String(decoding: exchange.responseBody, as: UTF8.self))
            }
        }
    }
}
