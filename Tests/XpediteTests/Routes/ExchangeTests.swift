import BacklotHTTP
import BacklotJSON
import BacklotTesting
import Logging
import Synchronization
import Testing

@testable import Backlot
@testable import Xpedite

/// The sessions and methods for packets, and the responses after failures.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    private enum CountKey: SessionKey {
        static let name = "count"
        typealias Value = Int
    }

    private struct Unexpected: Error {}

    private func makeApp(
        version: Int = 1,
        sessions: any SessionStore = MemorySessionStore(),
        configuration: XpediteConfiguration = XpediteConfiguration()
    ) throws -> TestApp {
        try TestApp(version: version, sessions: sessions, configuration: configuration) { app in
            app.connect { device in page("Home") { label("Hello \(device.uuid ?? "?")") } }
            app.method("count") { call in
                try call.session.update(CountKey.self) { $0 = ($0 ?? 0) + 1 }
                return page { label("\(call.session[CountKey.self] ?? 0)") }
            }
            app.method("refuse") { _ in throw UserError("Not today.") }
            app.method("forbid") { _ in throw StatusError(.forbidden, "Not you.") }
            app.method("fail") { _ in throw Unexpected() }
            app.method("login") { call in
                try call.session.logIn(user: "ann")
                return page { label("in") }
            }
            app.method("login and refuse") { call in
                try call.session.logIn(user: "ann")
                throw UserError("Not today.")
            }
            app.method("login and fail") { call in
                try call.session.logIn(user: "ann")
                throw Unexpected()
            }
            app.method("who") { call in page { label(call.session.user ?? "nobody") } }
            app.method("logout everywhere") { call in
                try call.session.logOutEverywhere()
                return page { label("out") }
            }
            app.method("logout") { call in
                try call.session.logOut()
                return page { label("out") }
            }
        }
    }

    @Test func `A session begins with a GUID, a version and a page`() async throws {
        let response = try await makeApp(version: 7).send(
            #"{"method":"setConnection","bundleID":"b","uuid":"u","bounds":"1x2","xpediteVersion":1}"#
        )
        #expect(response["rc"] == 0)
        #expect(response["version"] == 7)
        #expect(response.label == "Hello u")
        let token = try #require(response["token"]?.string)
        let parts = token.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(token.allSatisfy { $0 == "-" || "0123456789abcdef".contains($0) })
        #expect(parts[2].hasPrefix("4"))
    }

    @Test func `Two beginnings have two tokens, and two sessions`() async throws {
        let app = try makeApp()
        let (first, second) = (try await app.connect(), try await app.connect())
        #expect(first != second)
        #expect(try await app.send(["method": "count", "token": .string(first)]).label == "1")
        #expect(try await app.send(["method": "count", "token": .string(first)]).label == "2")
        #expect(try await app.send(["method": "count", "token": .string(second)]).label == "1")
    }

    /// An app with limits for its sessions.
    private func makeCountingApp(_ limits: SessionLimits, _ store: MemorySessionStore) throws -> TestApp {
        var configuration = XpediteConfiguration()
        configuration.sessionLimits = limits
        return try makeApp(sessions: store, configuration: configuration)
    }

    @Test func `Sessions without a log-in are bounded, by device and address`() async throws {
        let store = MemorySessionStore()
        var limits = SessionLimits()
        (limits.perDevice, limits.perAddress) = (2, 10)
        let app = try makeCountingApp(limits, store)
        for _ in 0..<5 { _ = try await app.send(["method": "setConnection", "uuid": "phone"]) }
        #expect(store.count == 2)
        let stranger = JSONValue.string(try await app.connect())
        let first = try await app.send(["method": "login", "token": stranger])["token"] ?? .null
        let used = JSONValue.string(try await app.connect())
        _ = try await app.send(["method": "count", "token": used])
        for index in 0..<50 {
            _ = try await app.send(["method": "setConnection", "uuid": .string("\(index)")])
            _ = try await app.send(["method": "setConnection", "uuid": .string(String(repeating: "x", count: 300))])
            _ = try await app.send(["method": "setConnection", "uuid": [1]])
        }
        #expect(store.count == 11)
        #expect(try await app.send(["method": "who", "token": first]).label == "ann")
        #expect(try await app.send(["method": "count", "token": used]).label == "2")
        // New sessions of a device end none of its log-ins.
        var own = JSONValue.null
        for index in 0..<20 {
            let token = try await app.send(["method": "setConnection", "uuid": "phone"])["token"] ?? .null
            let response = try await app.send(["method": index % 2 == 0 ? "login" : "count", "token": token])
            if index == 0 { own = response["token"] ?? .null }
        }
        #expect(try await app.send(["method": "who", "token": own]).label == "ann")
    }

    @Test func `A session counts for the limits again after its log-out`() async throws {
        let store = MemorySessionStore()
        var limits = SessionLimits()
        (limits.perDevice, limits.perAddress) = (2, 3)
        let app = try makeCountingApp(limits, store)
        for (device, limit) in [("phone", 2), ("", 3)] {
            var tokens: [JSONValue] = []
            for _ in 0..<6 {
                let first = try await app.send(["method": "setConnection", "uuid": .string(device)])["token"] ?? .null
                tokens.append(try await app.send(["method": "login", "token": first])["token"] ?? .null)
            }
            for token in tokens { _ = try await app.send(["method": "logout", "token": token]) }
            #expect(store.count == limit)
            for token in tokens {
                let isOpen = tokens.suffix(limit).contains(token)
                #expect(try await app.send(["method": "who", "token": token])["rc"] == (isOpen ? 0 : 3))
            }
        }
    }

    @Test func `If all sessions have had calls, the oldest ends, in any order of the calls`() throws {
        var devices = DeviceSessions(device: 2, address: 1000)
        let phone = DeviceSessions.Origin(device: "phone", try #require(SocketAddress(host: "192.0.2.1", port: 1)))
        var ended = devices.add("a", phone) + devices.add("b", phone)
        for token in ["b", "a"] { ended += devices.note(token, as: token, isLoggedIn: false) }
        ended += devices.add("c", phone)
        #expect(ended == ["a"])
    }

    @Test func `What is remembered of devices is bounded`() throws {
        var devices = DeviceSessions(device: 2, address: 1000, total: 100)
        for index in 0..<1000 {
            let address = try #require(SocketAddress(host: "192.0.2.\(index % 7)", port: 1))
            let ended = devices.add("\(index)", .init(device: "\(index % 300)", address))
            #expect(ended.allSatisfy { Int($0).map { $0 < index } ?? false })
        }
        #expect(devices.count <= 100)
    }

    // MARK: Packets that can't be read

    /// A gzip body with the beginning of a packet, followed by a gigabyte of zeros.
    private static func bomb(_ text: String) -> [UInt8] {
        let (length, zeros) = (UInt16(text.utf8.count), [UInt8](repeating: 0, count: 1016))
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var stored: [UInt8] = [0]
        for number in [length, ~length] { stored += [UInt8(number & 255), UInt8(number >> 8)] }
        stored += text.utf8
        let megabyte: [UInt8] =
            [0xEC, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 8, 0x5F, 0xA0] + zeros
            + [0x3E, 3, 0, 0, 0xFF, 0xFF]
        return head + stored + (0..<1024).flatMap { _ in megabyte }
    }

    @Test func `A gzip bomb gets a packet with its token`() async throws {
        let response = try await makeApp().send(
            Self.bomb(#"{"method":"count","token":"08829e57-56ec-42a8-8b84-061981c054c8","x":""#),
            headers: [.contentEncoding: "gzip"]
        )
        #expect(response["rc"] == 2)
        #expect(response["token"] == "08829e57-56ec-42a8-8b84-061981c054c8")
        #expect(response.label == "The packet is too large.")
    }

    @Test(arguments: ["br", "zstd, gzip", "gzip, gzip, gzip"])
    func `An unknown coding gets a packet`(coding: String) async throws {
        let response = try await makeApp().send([1, 2, 3], headers: [.contentEncoding: coding])
        #expect(response["rc"] == 2)
        #expect(response.label?.hasPrefix("The packet can't be read: ") == true)
    }

    @Test(arguments: [
        (#"{"method":"m","token":"a\u0062","#, "ab"), (#"{"token" : "a""#, "a"),
        (#"{"x":{"token":"no"},"token":"a","#, "a"),
        (#"{"x":"token","token":"a" x"#, "a"), (#"{"x":["token":"no"], "token":"a","#, "a"),
        (#"{"token":"a"#, nil), (#"{"token":5,"#, nil), (#"{"token":"#, nil), (#"["token":"a","#, nil),
        (#"{"token"#, nil),
        (#"{"token":"\"#, nil), (#"{"token":"\x""#, nil), (#"}}{{"token":"a""#, nil), ("", nil),
    ])
    func `A token is found in a body that isn't JSON`(body: String, token: String?) async throws {
        #expect(PacketToken.find(in: Array(body.utf8)) == token)
        let response = try await makeApp().send(body)
        #expect(response["rc"] == 2)
        // None of these has the form of a token.
        #expect(response["token"] == nil)
    }

    @Test func `A packet that is too large gets its token back`() async throws {
        var configuration = XpediteConfiguration()
        configuration.packetLimit = 100
        let app = try makeApp(configuration: configuration)
        let token = "08829e57-56ec-42a8-8b84-061981c054c8"
        let body = #"{"token":"\#(token)","x":""# + String(repeating: "x", count: 200)
        #expect(try await app.send(body)["token"]?.string == token)
    }

    @Test func `Each response has the token and no version`() async throws {
        let app = try makeApp()
        let token = try await app.connect()
        let response = try await app.send(["method": "count", "token": .string(token)])
        #expect(response["token"]?.string == token)
        #expect(response["version"] == nil)
        #expect(response["rc"] == 0)
    }

    @Test func `A log-in gives the session a new token and ends the old one, and a log-out leaves it`() async throws {
        let app = try makeApp()
        let first = JSONValue.string(try await app.connect())
        var token = first
        for (method, text) in [
            ("count", "1"), ("who", "nobody"), ("login", "in"), ("who", "ann"), ("count", "2"), ("login", "in"),
            ("logout", "out"),
            ("who", "nobody"), ("count", "1"), ("login", "in"), ("who", "ann"),
        ] {
            let response = try await app.send(["method": .string(method), "token": token])
            #expect(response.label == text)
            #expect((response["token"] == token) == (method != "login"), "\(method)")
            if method == "login" {
                #expect(try await app.send(["method": "who", "token": token])["rc"] == 3)
                token = response["token"] ?? .null
            }
        }
    }

    @Test func `A log-in that an error follows counts, and its response has the new token`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": "login and refuse", "token": token])
        #expect(response["rc"] == 1)
        #expect(response["token"] != token)
        #expect(try await app.send(["method": "who", "token": response["token"] ?? .null]).label == "ann")
        #expect(try await app.send(["method": "who", "token": token])["rc"] == 3)
        // One that fails halfway doesn't count.
        let other = JSONValue.string(try await app.connect())
        #expect(try await app.send(["method": "login and fail", "token": other])["token"] == other)
        #expect(try await app.send(["method": "who", "token": other]).label == "nobody")
    }

    @Test func `A log-out everywhere ends the sessions of other devices, and only empties this one`() async throws {
        let app = try makeApp()
        func logIn() async throws -> JSONValue {
            try await app.send(["method": "login", "token": .string(try await app.connect())])["token"] ?? .null
        }
        let (own, other, stranger) = (try await logIn(), try await logIn(), JSONValue.string(try await app.connect()))
        #expect(try await app.send(["method": "logout everywhere", "token": own]).label == "out")
        #expect(try await app.send(["method": "who", "token": own]).label == "nobody")
        #expect(try await app.send(["method": "who", "token": other])["rc"] == 3)
        #expect(try await app.send(["method": "who", "token": stranger]).label == "nobody")
    }

    @Test func `A log-out leaves no moment without the session, and nothing of the user`() async throws {
        let store = WatchedStore()
        let app = try makeApp(sessions: store)
        let stranger = JSONValue.string(try await app.connect())
        let token = try await app.send(["method": "login", "token": stranger])["token"] ?? .null
        _ = try await app.send(["method": "count", "token": token])
        _ = try await app.send(["method": "logout", "token": token])
        #expect(store.removals.withLock { $0 } == 0)
        #expect(try await app.send(["method": "who", "token": token]).label == "nobody")
        #expect(try await app.send(["method": "count", "token": token]).label == "1")
    }

    @Test(arguments: [0, 1, 2, 3])
    func `A store that fails is no failure of HTTP`(healthyCalls: Int) async throws {
        let store = FailingStore(healthyCalls: healthyCalls)
        let app = try makeApp(sessions: store)
        let first = try await app.send(["method": "setConnection"])
        guard healthyCalls > 0 else {
            #expect(first["rc"] == 6)
            #expect(first["token"] == nil)
            return
        }
        let token = first["token"] ?? .null
        for _ in 0..<3 {
            let response = try await app.send(["method": "count", "token": token])
            #expect(response["token"] == token)
            #expect(response["rc"] == 0 || response.label == "The server is busy. Please try again.")
        }
        #expect(try await app.send(["method": "count", "token": token])["rc"] == 6)
    }

    /// A store that works for some calls only.
    private final class FailingStore: SessionStore {
        private struct Gone: Error {}

        private let left: Locked<Int>
        private let store = MemorySessionStore()

        init(healthyCalls: Int) { left = Locked(healthyCalls) }

        private func use() throws {
            try left.withLock { left in
                guard left > 0 else { throw Gone() }
                left -= 1
            }
        }

        func session(at key: SessionHash) -> Ready<SessionRecord?> {
            .pending { [self] in
                try use()
                return try await store.session(at: key).value
            }
        }
        func insert(_ record: SessionRecord) async throws {
            try use()
            try await store.insert(record)
        }
        func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
            try use()
            return try await store.replace(key, version: version, with: record)
        }
        func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws { try use() }
        func remove(_ key: SessionHash) async throws { try use() }
        func removeAll(of user: String, mount: String) async throws { try use() }
    }

    /// A store that counts how often a session is removed.
    private final class WatchedStore: SessionStore {
        let removals = Locked(0)
        private let store = MemorySessionStore()

        func session(at key: SessionHash) -> Ready<SessionRecord?> { store.session(at: key) }
        func insert(_ record: SessionRecord) async throws { try await store.insert(record) }
        func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
            try await store.replace(key, version: version, with: record)
        }
        func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
            await store.touch(key, lastSeen: lastSeen, expiresAt: expiresAt)
        }
        func remove(_ key: SessionHash) async throws {
            removals.withLock { $0 += 1 }
            await store.remove(key)
        }
        func removeAll(of user: String, mount: String) async throws { await store.removeAll(of: user, mount: mount) }
    }

    @Test(arguments: [
        ("{", 2), ("", 2), ("[]", 2), ("\"x\"", 2), ("null", 2), ("{}", 2), (#"{"method":5}"#, 2),
        (#"{"method":null}"#, 2),
        ("\u{0}", 2), (#"{"method":"count"}"#, 3), (#"{"method":"count","token":5}"#, 3),
    ])
    func `What is no packet is answered all the same`(body: String, code: Int) async throws {
        let response = try await makeApp().send(body)
        #expect(response["rc"]?.number?.int64 == Int64(code))
        #expect(response.label?.isEmpty == false)
        #expect(response["token"] == nil)
    }

    @Test(arguments: [
        "nonsense", "", "08829e57-56ec-42a8-8b84-061981c054c8", "08829E57-56EC-42A8-8B84-061981C054C8",
        "08829e57-56ec-42a8-8b84-061981c054c8x", "08829e57056ec-42a8-8b84-061981c054c8", "\u{1F600}",
        String(repeating: "<b>", count: 100_000),
    ])
    func `Nothing is run for an unknown token, which comes back if it can be one`(token: String) async throws {
        let calls = Atomic(0)
        let app = try TestApp { app in
            app.connect { _ in page { label("x") } }
            app.method("m") { _ in
                calls.add(1, ordering: .relaxed)
                return page { label("x") }
            }
        }
        let response = try await app.send(["method": "m", "token": .string(token)])
        #expect(response["rc"] == 3)
        #expect(response["token"]?.string == (token == "08829e57-56ec-42a8-8b84-061981c054c8" ? token : nil))
        #expect(response["components"]?.array?.count == 1)
        #expect(calls.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: ["nope", "", "setconnection", "init", "answer"])
    func `A method that isn't registered is none`(method: String) async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": .string(method), "token": token])
        #expect(response["rc"] == 4)
        #expect(response["token"] == token)
        #expect(response["components"]?.array?.count == 1)
    }

    @Test(arguments: [
        ("refuse", 1, "Not today."), ("forbid", 1, "Not you."), ("fail", 6, "Something went wrong. Please try again."),
    ])
    func `What a method throws is no status of HTTP`(method: String, code: Int, text: String) async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": .string(method), "token": token])
        #expect(response["rc"]?.number?.int64 == Int64(code))
        #expect(response["token"] == token)
        #expect(response.label == text)
    }

    @Test func `A packet that is too large is refused`() async throws {
        var configuration = XpediteConfiguration()
        configuration.packetLimit = 100
        let app = try makeApp(configuration: configuration)
        let body = JSONValue.object(["method": "count", "x": .string(String(repeating: "x", count: 100))]).description
        #expect(try await app.send(body)["rc"] == 2)
    }

    @Test func `A session ends when its life is over`() async throws {
        let now = Locked(1000)
        let store = MemorySessionStore(clock: SessionClock { now.withLock { $0 } })
        var configuration = XpediteConfiguration()
        configuration.sessionLifetime = .seconds(100)
        configuration.clock = SessionClock { now.withLock { $0 } }
        let app = try makeApp(sessions: store, configuration: configuration)
        let token = JSONValue.string(try await app.connect())
        now.withLock { $0 = 1099 }
        #expect(try await app.send(["method": "count", "token": token])["rc"] == 0)
        now.withLock { $0 = 1198 }
        #expect(try await app.send(["method": "count", "token": token])["rc"] == 0)
        now.withLock { $0 = 1298 }
        #expect(try await app.send(["method": "count", "token": token])["rc"] == 3)
    }

    @Test func `A session lives for years`() async throws {
        let now = Locked(1_000_000_000)
        var configuration = XpediteConfiguration()
        configuration.clock = SessionClock { now.withLock { $0 } }
        let app = try makeApp(
            sessions: MemorySessionStore(clock: configuration.clock),
            configuration: configuration
        )
        let token = JSONValue.string(try await app.connect())
        now.withLock { $0 += 9 * 365 * 86_400 }
        #expect(try await app.send(["method": "count", "token": token]).label == "1")
    }

    @Test func `Another app's token opens nothing`() async throws {
        let store = MemorySessionStore()
        let router = Router()
        for path in ["/one", "/two"] {
            router.xpedite(path, version: 1, sessions: store) { app in
                app.connect { _ in page { label("x") } }
                app.method("m") { _ in page { label("y") } }
            }
        }
        let one = try XpediteClient(router, at: "/one")
        try await one.connect()
        let two = try TestApp(transport: InProcessTransport(router.handler()))
        let url = try HTTPURL("http://localhost/two")
        let body = JSONValue.object(["method": "m", "token": .string(one.token ?? "")]).bytes
        let response = try await two.transport.response(
            to: ClientRequest(.post, url, body: body),
            limits: ClientLimits()
        )
        #expect(try JSONValue(parsing: response.body)["rc"] == 3)
    }

    @Test func `Mistakes in what is registered keep the server from starting`() throws {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.method("a") { _ in page {} }
            app.method("a") { _ in page {} }
            app.method("setConnection") { _ in page {} }
            app.table("t", batch: 0) { _, _, _ in [] }
        }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(error?.problems.count == 4)
    }

    @Test func `A page that breaks rules doesn't go out`() async throws {
        var configuration = XpediteConfiguration()
        configuration.validation = .response
        let app = try TestApp(configuration: configuration) { app in
            app.connect { _ in page { button("x").method("nowhere") } }
        }
        let response = try await app.send(["method": "setConnection"])
        #expect(response["rc"] == 5)
        #expect(response.label?.contains(#"setConnection › button "x""#) == true)
        #expect(response.label?.contains("unregistered-method") == true)
    }

    @Test func `Where pages are only logged, each shape is judged`() async throws {
        let judged = Locked(0)
        let validator = ResponseValidator(.log, of: "page", logger: Logger(label: "test"))
        let request = try Request(.post, "/xpedite")
        func judge(_ packet: [UInt8]) {
            let refusal = validator.refusal(
                of: request,
                response: packet,
                by: {
                    judged.withLock { $0 += 1 }
                    return []
                }
            )
            #expect(refusal == nil)
        }
        func send(_ page: Page) {
            judge(Packet(page, token: "t").bytes)
            ResponseValidator.finish()
        }
        send(page("A") { label("a") })
        send(page("B \" {") { label("other") })
        #expect(judged.withLock { $0 } == 1)
        send(page("A") { for text in ["a", "b"] { label(text) } })
        #expect(judged.withLock { $0 } == 1)
        send(page("A") { label("a").align(.left) })
        send(page("A") { textbox(name: "a") })
        send(page { label("a") })
        send(page { scrollview { label("a") } })
        #expect(judged.withLock { $0 } == 5)
        for index in 0..<1000 { judge(Array(#"{"\#(index)":1}"#.utf8)) }
        ResponseValidator.finish()
        #expect(judged.withLock { $0 } == 256)
    }

    @Test func `Without validation it does`() async throws {
        for validation in [Validation.off, .log] {
            var configuration = XpediteConfiguration()
            configuration.validation = validation
            let app = try TestApp(configuration: configuration) { app in
                app.connect { _ in page { button("x").method("nowhere") } }
            }
            #expect(try await app.send(["method": "setConnection"])["rc"] == 0)
        }
    }

    @Test func `Codes and the echo can be set`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.codes.unknownToken = 99
        configuration.readings.echoesUnknownToken = false
        let response = try await makeApp(configuration: configuration).send(["method": "count", "token": "x"])
        #expect(response["rc"] == 99)
        #expect(response["token"] == nil)
    }
}
