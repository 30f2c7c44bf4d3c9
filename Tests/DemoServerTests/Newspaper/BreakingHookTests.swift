import Backlot
import BacklotTesting
import Floki
import TestSupport
import Testing

@testable import demo_server

/// Who is told of breaking news, and how often.
@Suite(.timeLimit(.minutes(5))) struct BreakingHookTests {
    /// Answers with one status after the other; nil is a connection that fails.
    private final class Receiver: ClientTransport {
        private let responses: Locked<[HTTPResponse.Status?]>
        let requests = Locked<[ClientRequest]>([])

        init(_ responses: [HTTPResponse.Status?]) { self.responses = Locked(responses) }

        func response(to request: ClientRequest, limits: ClientLimits) throws(ClientError) -> ClientResponse {
            requests.withLock { $0.append(request) }
            guard let status = responses.withLock({ $0.removeFirst() }) else { throw .notConnected("refused") }
            return ClientResponse(status: status, body: Array("no room".utf8))
        }
    }

    private func hook(_ receiver: Receiver, _ breaks: Locked<[Duration]> = Locked([])) throws -> BreakingHook {
        var hook = BreakingHook(url: try HTTPURL("http://push.example/breaking?app=1"), transport: receiver)
        hook.sleep = { pause in breaks.withLock { $0.append(pause) } }
        return hook
    }

    private static let news = BreakingNews(
        feed: "news",
        id: 7,
        entries: [
            "es": item(7, "Se hunde el ferry", "Todos a salvo."),
            "en": item(7, "Ferry \"sinks\"", "All are safe.").shareURL("https://gazette.example/stories/7"),
        ]
    )

    @Test func `It gets one POST with the texts in all languages`() async throws {
        let receiver = Receiver([.noContent])
        try await hook(receiver).send(Self.news)
        let request = try #require(receiver.requests.withLock { $0.first })
        #expect(request.method == .post)
        #expect("\(request.url)" == "http://push.example/breaking?app=1")
        #expect(request.headers[.contentType] == "application/json")
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        let value = try #require(request.headers[key])
        #expect(value.wholeMatch(of: /"breaking-news-7-[0-9a-zA-Z_-]{16}"/) != nil, "\(value)")
        let expected = """
            {"event":"breaking","feed":"news","id":7,"titles":{"en":"Ferry \\"sinks\\"","es":"Se hunde el ferry"},\
            "texts":{"en":"All are safe.","es":"Todos a salvo."},"url":"https://gazette.example/stories/7"}
            """
        #expect(String(decoding: request.body, as: UTF8.self) == expected)
    }

    @Test func `Each call has a key, which other stories with the same id don't have`() {
        let others = [
            item(7, "Ferry \"sinks\"", "All are safe!"), item(7, "Ferry sinks", "All are safe."), item(7, "Ferry"),
        ]
        let keys = others.map { BreakingHook.key(BreakingNews(feed: "news", id: 7, entries: ["en": $0])) }
        #expect(Set(keys + [BreakingHook.key(Self.news)]).count == 4)
        #expect(BreakingHook.key(Self.news) == BreakingHook.key(Self.news))
    }

    @Test func `Without an address to share, there is none in the message`() throws {
        let news = BreakingNews(feed: "news", id: 7, entries: ["en": item(7, "T")])
        let text = String(decoding: BreakingHook.payload(news), as: UTF8.self)
        #expect(text.hasSuffix(#""texts":{"en":""},"url":null}"#))
    }

    @Test(
        arguments: [
            [nil, .ok], [.serviceUnavailable, .ok], [.tooManyRequests, nil, .internalServerError, .accepted],
            [.requestTimeout, .requestTimeout, .requestTimeout, .ok],
        ] as [[HTTPResponse.Status?]]
    )
    func `What may pass is tried again, with longer and longer breaks`(responses: [HTTPResponse.Status?]) async throws {
        let receiver = Receiver(responses)
        let breaks = Locked<[Duration]>([])
        try await hook(receiver, breaks).send(Self.news)
        #expect(receiver.requests.withLock { $0.count } == responses.count)
        let expected: [Duration] = [.seconds(1), .seconds(5), .seconds(25)]
        #expect(breaks.withLock { $0 } == Array(expected.prefix(responses.count - 1)))
        #expect(Set(receiver.requests.withLock { $0.map(\.body) }).count == 1)
    }

    @Test func `After four attempts it is given up, with the last reason`() async throws {
        let receiver = Receiver([nil, nil, .badGateway, .serviceUnavailable, .ok])
        let error = try await #require(throws: BreakingHook.HookError.self) {
            try await hook(receiver).send(Self.news)
        }
        #expect("\(error)" == "its response was 503: no room")
        #expect(receiver.requests.withLock { $0.count } == 4)
    }

    @Test(arguments: [HTTPResponse.Status.badRequest, .unauthorized, .notFound, .found])
    func `What won't pass is not tried again`(status: HTTPResponse.Status) async throws {
        let receiver = Receiver([status, .ok])
        await #expect(throws: BreakingHook.HookError.self) { try await hook(receiver).send(Self.news) }
        #expect(receiver.requests.withLock { $0.count } == 1)
    }
}
