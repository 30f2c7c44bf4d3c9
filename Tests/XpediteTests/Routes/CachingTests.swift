import Backlot
import BacklotTesting
import Testing

@testable import Xpedite

/// The server sends a navigation once, and then refers to the client's copy.
@Suite(.timeLimit(.minutes(5))) struct CachingTests {
    private let text = Locked("Customers")

    private func register(_ app: XpediteApp) {
        let text = text
        app.connect { _ in
            page("Home") { Self.menu(text.withLock { $0 }) }.images([Preload(id: "logo", url: "https://a.b/c")])
        }
        app.method("home") { _ in
            page("Home") {
                Self.menu(text.withLock { $0 })
                image(id: "logo")
            }
        }
        app.method("kept") { _ in page("Kept") { label("x") }.id("kept").disposition(.permanent) }
        app.method("logout") { call in
            try call.session.logOut()
            return page("Home") {
                Self.menu(text.withLock { $0 })
                image(id: "logo")
            }
        }
    }

    private static func menu(_ text: String) -> Navigation {
        slideFrom(.left, id: "menu") { menuEntry(text, "home") }
    }

    private static let reference: JSONValue = ["type": "navigation", "id": "menu"]

    @Test func `A navigation goes out whole once, and by its id afterwards`() async throws {
        let app = try TestApp(register)
        let first = try await app.send(["method": "setConnection"])
        #expect(first["components"]?[0]?["implementation"] != nil)
        let token = first["token"] ?? .null
        for _ in 0..<2 {
            let next = try await app.send(["method": "home", "token": token])
            #expect(next["components"]?[0] == Self.reference)
            #expect(next["components"]?[1] == ["type": "image", "id": "logo"])
        }
    }

    @Test func `One that has changed goes out whole again`() async throws {
        let app = try TestApp(register)
        let token = JSONValue.string(try await app.connect())
        text.withLock { $0 = "Clients" }
        let changed = try await app.send(["method": "home", "token": token])
        #expect(changed["components"]?[0]?["components"]?[0]?["text"] == "Clients")
        #expect(try await app.send(["method": "home", "token": token])["components"]?[0] == Self.reference)
    }

    @Test func `A new session gets it whole`() async throws {
        let app = try TestApp(register)
        _ = try await app.connect()
        let second = try await app.send(["method": "setConnection"])
        #expect(second["components"]?[0]?["implementation"] != nil)
    }

    @Test func `A new version gets it whole, in the same session`() async throws {
        let store = MemorySessionStore()
        let old = try TestApp(version: 1, sessions: store, register)
        let token = JSONValue.string(try await old.connect())
        let new = try TestApp(version: 2, sessions: store, register)
        let first = try await new.send(["method": "home", "token": token])
        #expect(first["components"]?[0]?["implementation"] != nil)
        #expect(first["version"] == 2)
        let second = try await new.send(["method": "home", "token": token])
        #expect(second["components"]?[0] == Self.reference)
        #expect(second["version"] == nil)
    }

    @Test func `What the device has outlasts a log-out`() async throws {
        let app = try TestApp(register)
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": "logout", "token": token])
        #expect(response["rc"] == 0)
        #expect(response["components"]?[0] == Self.reference)
        #expect(try await app.send(["method": "home", "token": token])["components"]?[0] == Self.reference)
    }

    @Test func `It can be turned off`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.sendsNavigationOnce = false
        let app = try TestApp(configuration: configuration, register)
        let token = JSONValue.string(try await app.connect())
        #expect(try await app.send(["method": "home", "token": token])["components"]?[0]?["implementation"] != nil)
    }

    @Test func `A page to keep says the version`() async throws {
        let app = try TestApp(version: 5, register)
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send(["method": "kept", "token": token])
        #expect(response["version"] == 5)
        #expect(response["disposition"] == "permanent")
        #expect(response["id"] == "kept")
    }

    @Test func `What is remembered of a client is bounded`() {
        var state = ClientState(version: 1)
        for index in 0..<3000 {
            state.note(images: ["\(index)", "\(index)", "logo"])
            state.note(navigation: "\(index)", 1)
        }
        #expect(state.images.count == ClientState.maximumImages)
        #expect(state.images.suffix(2) == ["2999", "logo"])
        #expect(state.navigations.count <= ClientState.maximumNavigations)
        #expect(state.navigations["2999"] == 1)
        var other = ClientState(version: 2)
        other.note(images: ["new"])
        state.merge(other)
        #expect(state.version == 2)
        #expect(state.navigations.isEmpty)
        #expect(state.images.last == "new")
    }

    @Test func `Pictures can be read as lasting for a page only`() async throws {
        var configuration = XpediteConfiguration()
        configuration.validation = .response
        configuration.readings.preloadsOutlivePages = false
        let app = try TestApp(configuration: configuration, register)
        let token = JSONValue.string(try await app.connect())
        #expect(try await app.send(["method": "home", "token": token])["rc"] == 5)
    }

    @Test func `An image that no page of the session has preloaded is a mistake`() async throws {
        var configuration = XpediteConfiguration()
        configuration.validation = .response
        let app = try TestApp(configuration: configuration) { app in
            app.connect { _ in page { label("x") } }
            app.method("home") { _ in page { image(id: "logo") } }
            app.method("load") { _ in page { image(id: "logo") }.images([Preload(id: "logo", url: "https://a.b/c")]) }
        }
        let token = JSONValue.string(try await app.connect())
        #expect(try await app.send(["method": "home", "token": token])["rc"] == 5)
        #expect(try await app.send(["method": "load", "token": token])["rc"] == 0)
        #expect(try await app.send(["method": "home", "token": token])["rc"] == 0)
    }
}
