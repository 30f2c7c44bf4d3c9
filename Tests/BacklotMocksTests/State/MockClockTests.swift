import Backlot
import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// The time that mocks take for now.
@Suite(.timeLimit(.minutes(5))) struct MockClockTests {
    /// 2026-11-26T12:00:00Z.
    private static let noon: Int64 = 1_795_694_400_000

    @Test(arguments: [
        ("2026-12-24T18:00:00Z", 1_798_135_200_000), ("2026-12-24T18:00:00+02:00", 1_798_128_000_000),
        ("2026-12-24", 1_798_070_400_000), ("now", 1_795_694_400_000), ("+3 days", 1_795_953_600_000),
        ("-2 hours", 1_795_687_200_000), ("1 months", 1_798_286_400_000),
    ])
    func `Texts of times`(text: String, expected: Int64) throws {
        let clock = try #require(MockClock(text, at: Self.noon))
        #expect(clock.milliseconds(at: Self.noon) == expected)
        #expect(clock.milliseconds(at: Self.noon + 1500) == expected + 1500)
    }

    @Test(arguments: [
        "", "tomorrow", "24.12.2026", "+3", "3 weeks", "10000-01-01", "2026-02-30", "-9999999 years", "1e9",
    ])
    func `No times`(text: String) {
        #expect(MockClock(text, at: Self.noon) == nil)
    }

    @Test func `A clock stands still, runs faster, and stops at the ends of the calendar`() throws {
        let still = try #require(MockClock("2026-12-24", at: Self.noon, speed: 0))
        #expect(still.milliseconds(at: Self.noon + 1_000_000) == 1_798_070_400_000)
        let fast = still.running(at: 60, from: Self.noon + 500)
        #expect(fast.milliseconds(at: Self.noon + 1500) == 1_798_070_400_000 + 60_000)
        #expect(MockClock(now: 0, at: 0, speed: -1) == nil && MockClock(now: 0, at: 0, speed: 100_001) == nil)
        #expect(MockClock(now: .max, at: 0) == nil && MockClock(now: .min, at: 0) == nil)
        let last = try #require(MockClock("9999-12-31T23:59:59Z", at: 0, speed: 100_000))
        #expect(last.milliseconds(at: .max / 2) == 253_402_300_799_000)
        #expect(MockClock.system.milliseconds(at: Self.noon) == Self.noon)
    }

    /// Clients set, forget and hand on clocks in any order: each shows what a list of the same steps says.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `Any order of steps`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let clocks = MockClocks(.system)
        let scopes: [ScenarioStates.Scope] = [.shared, .session("a"), .session("b"), .session("c")]
        var (shared, own) = (MockClock.system, [ScenarioStates.Scope: MockClock]())
        for _ in 0..<60 {
            let (one, other) = (
                scopes[Int.random(in: 0..<4, using: &random)], scopes[Int.random(in: 1..<4, using: &random)]
            )
            if Int.random(in: 0..<4, using: &random) == 0 {
                if one != .shared, one != other, let handed = own.removeValue(forKey: one) { own[other] = handed }
                if one != .shared { clocks.hand(from: one, to: other) }
            } else {
                let isRemoved = Bool.random(using: &random)
                let now = Int64.random(in: 0...Self.noon, using: &random)
                let clock = isRemoved ? nil : MockClock(now: now, at: 0, speed: 0)
                clocks.set(clock, of: one)
                if one == .shared { (shared, own) = (clock ?? .system, [:]) } else { own[one] = clock }
            }
            for scope in scopes {
                let expected = scope == .shared ? shared : own[scope] ?? shared
                #expect(clocks.clock(of: scope) == expected)
                if expected != .system { #expect(clocks.milliseconds(of: scope) == expected.milliseconds(at: 0)) }
            }
            #expect(clocks.haveClients == !own.isEmpty && clocks.areSet == (shared != .system || !own.isEmpty))
        }
    }

    private static let files = [
        "now.get.yaml":
            "body: \"{{now.date}} {{now format='yyyy-MM-dd HH:mm'}} {{date format='yyyy'}} {{now offset='1 days' format='dd'}}\"",
        "late.get.yaml": """
        responses:
          - request: {queryParameters: {until: {after: now}}}
            headers: {Last-Modified: '{{now format="EEE, dd MMM yyyy HH:mm:ss ''GMT''"}}'}
            body: open
          - body: closed
        """,
        "log_in.rpc.yaml": "logIn: '{{variables.user}}'",
        "me.get.yaml": "{requiresLogin: true, body: '{{session.user}} {{now.date}}'}",
        "note.rpc.yaml": "{scenarioName: note, newScenarioState: written}",
    ]

    @Test func `Tags and date matchers go by it, for all clients or for one`() async throws {
        try await withMocks(Self.files) { mocks in
            let christmas = "200 2026-12-24 2026-12-24 18:30 2026 25"
            let set = try await mocks.text(
                .put,
                "/__admin/clock",
                body: #"{"now": "2026-12-24T18:30:00Z", "speed": 0}"#
            )
            #expect(
                set.hasPrefix(#"200 {"now":"2026-12-24T18:30:00Z","offset":"#)
                    && set.hasSuffix(#","speed":0,"isSystem":false}"#)
            )
            try await mocks.expect(christmas, .get, "/now")
            try await mocks.expect("200 open", .get, "/late?until=2026-12-25T00:00:00Z")
            try await mocks.expect("200 closed", .get, "/late?until=2026-12-24T18:00:00Z")
            // One client's clock.
            let moon = #"{"now": "1969-07-20T20:17:40Z", "offset": "2 minutes", "speed": 0}"#
            #expect(
                try await mocks.text(.put, "/__admin/clock?session=ann", body: moon).contains("1969-07-20T20:19:40Z")
            )
            let ann: HTTPFields = [.cookie: "session=ann"]
            try await mocks.expect("200 1969-07-20 1969-07-20 20:19 1969 21", .get, "/now", headers: ann)
            try await mocks.expect("200 open", .get, "/late?until=1969-07-21T00:00:00Z", headers: ann)
            try await mocks.expect("200 closed", .get, "/late?until=1969-07-21T00:00:00Z")
            try await mocks.expect(christmas, .get, "/now", headers: [.cookie: "session=bob"])
            // Back, for one and for all.
            try await mocks.expect(.ok, .delete, "/__admin/clock?session=ann")
            try await mocks.expect(christmas, .get, "/now", headers: ann)
            #expect(try await mocks.text(.put, "/__admin/clock", body: #"{"speed": 60}"#).contains("\"speed\":60"))
            try await mocks.expect(.ok, .post, "/__admin/reset")
            #expect(try await mocks.text(.get, "/__admin/clock").hasSuffix(#""offset":0,"speed":1,"isSystem":true}"#))
        }
    }

    @Test func `The clock at the beginning comes back by a reset`() async throws {
        let configuration = MockConfiguration(clock: try #require(MockClock("2000-01-01", speed: 0)))
        let backend = MockBackend(configuration, logger: .silent)
        backend.clocks.set(MockClock("2001-01-01", speed: 0))
        #expect(backend.clocks.milliseconds(of: .shared) == 978_307_200_000)
        backend.reset()
        #expect(backend.clocks.milliseconds(of: .shared) == 946_684_800_000)
    }

    @Test func `A change of any clock is told`() throws {
        let clocks = MockClocks(.system)
        let count = Locked(0)
        clocks.onChange { count.withLock { $0 += 1 } }
        clocks.set(MockClock("2000-01-01", speed: 0))
        #expect(clocks.secondsSince1970() == 946_684_800)
        clocks.set(MockClock("2001-01-01", speed: 0), of: .session("a"))
        #expect(clocks.secondsSince1970(of: .session("a")) == 978_307_200)
        clocks.set(nil)
        #expect(count.withLock(\.self) == 3)
    }

    @Test func `Sessions expire by it, and live on in the past`() async throws {
        try await withMocks(Self.files) { mocks in
            func logIn(_ user: String) async throws -> HTTPFields {
                let response = try await mocks.ask(.post, "/log_in", body: #"{"user":"\#(user)"}"#)
                return [.cookie: String(try #require(response.headers[.setCookie]).prefix { $0 != ";" })]
            }
            mocks.backend.clocks.set(MockClock("2020-02-02", speed: 0))
            let (ann, bob) = (try await logIn("ann"), try await logIn("bob"))
            try await mocks.expect("200 ann 2020-02-02", .get, "/me", headers: ann)
            // For one client 91 days pass, more than a session lives without a request.
            let id = try #require(ann[.cookie]).dropFirst("session=".count)
            let later = #"{"now": "2020-02-02", "offset": "91 days", "speed": 0}"#
            #expect(try await mocks.text(.put, "/__admin/clock?session=\(id)", body: later).hasPrefix("200 "))
            try await mocks.expect("403 Please log in.", .get, "/me", headers: ann)
            try await mocks.expect("200 bob 2020-02-02", .get, "/me", headers: bob)
            // A client keeps its clock when it logs in.
            let again = try await mocks.ask(.post, "/log_in", headers: ann, body: #"{"user":"ann"}"#)
            let new: HTTPFields = [.cookie: String(try #require(again.headers[.setCookie]).prefix { $0 != ";" })]
            try await mocks.expect("200 ann 2020-05-03", .get, "/me", headers: new)
        }
    }

    @Test(arguments: [
        ("{}", "write now, offset or speed"),
        (#"{"now": "soon"}"#, "is no time; write one such as 2026-12-24T18:00:00Z"),
        (#"{"now": 5}"#, "a string"), (#"{"offset": "3 weeks"}"#, "is no span"),
        (#"{"offset": "-9999 years"}"#, "is no span"),
        (#"{"offset": 1e12}"#, "-999999999 to 999999999"), (#"{"speed": -1}"#, "0 to 100000"),
        (#"{"speed": 1e6}"#, "0 to 100000"), (#"{"date": "2026-12-24"}"#, "date"), ("[]", "must be an object"),
        ("{", "JSON"),
    ])
    func `Bad commands`(body: String, message: String) async throws {
        try await withMocks(Self.files) { mocks in
            let found = try await mocks.text(.put, "/__admin/clock", body: body)
            #expect(found.hasPrefix("422 ") && found.contains(message), "\(found)")
            #expect(mocks.backend.clocks.clock() == .system)
        }
    }

    @Test func `Only so many clients have clocks of their own`() async throws {
        let clocks = MockClocks(.system)
        for number in 0..<MockClocks.maximumClients {
            #expect(clocks.set(MockClock("2000-01-01"), of: .session("\(number)")))
        }
        #expect(!clocks.set(MockClock("2000-01-01"), of: .session("x")) && clocks.clock(of: .session("x")) == .system)
        #expect(clocks.set(MockClock("2001-01-01"), of: .session("7")) && clocks.set(nil, of: .session("8")))
        #expect(clocks.set(MockClock("2000-01-01"), of: .session("x")))
    }
}
