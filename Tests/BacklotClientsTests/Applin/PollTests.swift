import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// Things that the client does by itself as time passes.
@Suite(.timeLimit(.minutes(5))) struct PollTests {
    @Test func `A page refreshes itself, by POST where it has inputs`() async throws {
        let backend = Backend("/", more: #""poll_seconds":2"#, #"{"typ":"textfield","var_name":"a"}"#)
        let app = try await backend.launched()
        try await app.enter("x", into: "a")
        try await app.wait(.seconds(1.9))
        #expect(backend.log == [])
        try await app.wait(.seconds(0.1))
        #expect(backend.log == [#"POST / {"a":"x"}"#])
        try await app.wait(.seconds(10))
        #expect(backend.log.count == 6)
        #expect(app.requests.dropFirst().map(\.isBackground) == [true, true, true, true, true, true])
    }

    @Test func `What changes is shown, and what the user typed stays`() async throws {
        let backend = Backend()
        let field = #"{"typ":"textfield","var_name":"a"}"#
        backend.form("/", more: #""poll_seconds":1"#, field, #"{"typ":"text","text":"one"}"#)
        let app = try await backend.launched()
        try await app.enter("x", into: "a")
        backend.form("/", more: #""poll_seconds":1"#, field, #"{"typ":"text","text":"two"}"#)
        try await app.wait(.seconds(1))
        #expect(app.texts == ["two"])
        #expect(app.value(of: "a") == "x")
    }

    @Test func `Hidden pages are polled too, the visible one first`() async throws {
        let backend = Backend("/", more: #""poll_seconds":3"#, Backend.button("Next", #""push:/next""#))
        backend.form("/next", more: #""poll_seconds":3"#)
        let app = try await backend.launched()
        try await app.tap("Next")
        backend.clearLog()
        try await app.wait(.seconds(3))
        #expect(backend.log == ["GET /next", "GET /"])
    }

    @Test func `After a failure it waits longer, shows nothing, and goes on`() async throws {
        let backend = Backend("/", more: #""poll_seconds":1"#)
        let app = try await backend.launched()
        backend.on("/") { _ in Response(status: .serviceUnavailable) }
        // At 1, 6, 16, 46 and 76 seconds.
        try await app.wait(.seconds(5.999))
        #expect(backend.log.count == 1)
        try await app.wait(.seconds(10))
        #expect(backend.log.count == 2)
        try await app.wait(.seconds(60))
        #expect(backend.log.count == 4)
        #expect(app.errorText == nil)
        #expect(app.title == "A Page")
        #expect(app.findings.map(\.severity) == [.warning])
        backend.form("/", title: "Back again", more: #""poll_seconds":1"#)
        try await app.wait(.seconds(0.1))
        #expect(app.title == "Back again")
        try await app.wait(.seconds(3))
        #expect(backend.log.count == 8)
    }

    @Test func `The waits lie where the test puts them`() async throws {
        let backend = Backend("/", more: #""poll_seconds":1"#)
        let app = try await backend.launched { $0.jitter = { -1 } }
        backend.status("/", .serviceUnavailable)
        // At 1, 3.5, 8.5 and 23.5 seconds.
        try await app.wait(.seconds(23.4))
        #expect(backend.log.count == 3)
        try await app.wait(.seconds(0.1))
        #expect(backend.log.count == 4)
    }

    @Test func `A page that clients reject fails the wait, and the old one stays`() async throws {
        let backend = Backend("/", more: #""poll_seconds":1"#)
        let app = try await backend.launched()
        backend.page("/", #"{"typ":"carousel"}"#)
        #expect(await brokenRules { try await app.wait(.seconds(1)) } == ["unknown-typ"])
        #expect(app.title == "A Page")
        #expect(app.errorText == nil)
    }

    @Test func `A page that fails doesn't keep those below it from being refreshed`() async throws {
        let backend = Backend("/", more: #""poll_seconds":1"#, Backend.button("Next", #""push:/next""#))
        backend.form("/next", more: #""poll_seconds":1"#)
        let app = try await backend.launched()
        try await app.tap("Next")
        backend.status("/next", .serviceUnavailable)
        backend.clearLog()
        try await app.wait(.seconds(1))
        #expect(backend.log == ["GET /next", "GET /"])
        // It waits longer all the same.
        try await app.wait(.seconds(4.9))
        #expect(backend.log.count == 2)
    }

    @Test func `A stream is no poll, and 0 seconds are none`() async throws {
        let backend = Backend()
        for more in [#""poll_seconds":1,"stream":true"#, #""poll_seconds":0"#] {
            backend.form("/", more: more)
            let app = try await backend.launched()
            try await app.wait(.seconds(100))
            #expect(backend.log == [])
        }
    }

    @Test func `A page that polls from a delayed poll on is refreshed as often as any other`() async throws {
        let box = #"{"typ":"checkbox","var_name":"a","text":"A","poll_delay_ms":1500}"#
        let backend = Backend("/", box)
        let app = try await backend.launched()
        backend.form("/", more: #""poll_seconds":1"#, box)
        try await app.check("A")
        // At 1.5 seconds, and at each whole second from 3 on.
        try await app.wait(.seconds(10))
        #expect(backend.log.count == 9)
    }

    @Test func `A year without polls takes no time, and a time below 0 there isn't`() async throws {
        let backend = Backend("/")
        let app = try await backend.launched()
        try await app.wait(.seconds(31_557_600))
        #expect(backend.log == [])
        for duration in [.seconds(-1), .seconds(31_557_600_001)] as [Duration] {
            await #expect(throws: StepError.self) { try await app.wait(duration) }
        }
    }

    @Test func `Cookies end by the client's clock`() async throws {
        let backend = Backend()
        backend.on("/") { _ in
            var response = Response.page(Backend.form([]))
            response.headers[.setCookie] = "session=1; Path=/; Max-Age=60"
            return response
        }
        let app = try await backend.launched()
        backend.form("/")
        try await app.wait(.seconds(50))
        try await app.pullToRefresh()
        try await app.wait(.seconds(11))
        try await app.pullToRefresh()
        #expect(backend.headers.map { $0[.cookie] } == ["session=1", nil])
    }
}
