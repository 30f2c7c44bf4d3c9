import Backlot
import BacklotTesting
import DynamicViews
import TestSupport
import Testing

/// The client behaves as the app does, and notices what a backend does wrong.
@Suite(.timeLimit(.minutes(5))) struct DynamicViewsClientTests {
    private let received = Locked<[String]>([])

    private func makeRouter() -> Router {
        let received = received
        let router = Router()
        router.dynamicViews { views in
            views.view("profile") { request in
                document {
                    image("Profile/head", id: "head")
                    customerCard(id: "card").text("Profile.card")
                    locationPermission(id: "where")
                    lastPurchases(projectId: "shop", id: "bought")
                    section("Profile.header", id: "s") {
                        toggle("Profile.showOnboarding", id: "t", key: "show")
                        if request.dialect.platform == .ios {
                            navigation("Profile.more", id: "n", resource: "more.json")
                            navigation("Profile.away", id: "away", resource: "https://example.com/more")
                        }
                        version(id: "v")
                    }
                    if request.dialect.platform == .android {
                        switchEnvironment("Profile.environment", id: "env") {
                            option("Profile.testing", id: "env.testing")
                            option("Profile.staging", id: "env.staging")
                        }
                        clientId(id: "client")
                    } else {
                        developerMode(id: "dev") {
                            multiValue("Profile.environment", id: "env") {
                                option("Profile.testing", id: "env.testing")
                                option("Profile.staging", id: "env.staging")
                            }
                        }
                    }
                }
                .style(.list).image("Profile/back")
            }
            .onInteraction { interaction, _ in
                received.withLock { $0.append("\(interaction.widgetID) \(interaction.event)") }
            }
            views.view("more") { _ in document { text("More.text", id: "1") } }
                .onInteraction { interaction, _ in
                    received.withLock { $0.append("more: \(interaction.widgetID) \(interaction.event)") }
                }
            views.view("broken", unchecked: "for the client") { _ in
                document {
                    text("a", id: "1"); text("b", id: "1")
                }
            }
        }
        return router
    }

    @Test(arguments: ClientReach.allCases)
    func `What it shows, does and keeps`(reach: ClientReach) async throws {
        try await withDynamicViewsClient(makeRouter(), over: reach) { app in
            try await app.load("profile")
            #expect(
                app.screen == """
                    profile: list, image "Profile/back"
                      image "head", image "Profile/head"
                      snabble.customerCard "card"
                      snabble.locationPermission "where"
                      snabble.lastPurchases "bought"
                      section "s" "Profile.header"
                        toggle "t" "Profile.showOnboarding": off
                        navigation "n" "Profile.more" → more.json
                        navigation "away" "Profile.away" → https://example.com/more
                        snabble.version "v"
                      developerMode "dev" (off)
                    """
            )
            try await app.toggle("Profile.showOnboarding")
            #expect(app.storage == ["show": true])
            #expect(app.isOn("t") == true)
            #expect(app.isNotModified)
            try await app.toggle("t", false)
            #expect(app.storage == ["show": false])
            try await app.tap("card")
            try await app.tap("where")
            try await app.tapReceipt("123")
            try await app.tapMore()
            try await app.tap("Profile.more")
            #expect(app.stack == ["profile", "more"])
            #expect(app.texts == ["More.text"])
            try await app.tap("More.text")
            try app.back()
            try await app.tap("head")
            for _ in 0..<5 { try await app.tap("v") }
            #expect(app.asksForPassword)
            try app.enterPassword("wrong")
            #expect(!app.hasDeveloperMode)
            for _ in 0..<5 { try await app.tap("v") }
            try app.enterPassword("Snabble")
            #expect(app.screen.hasSuffix(#"multiValue "env" "Profile.environment": nothing chosen"#))
            try await app.choose("staging", from: "Profile.environment")
            #expect(app.storage["env"] == "env.staging")
            #expect(app.choice(of: "env") == "env.staging")
            #expect(app.screen.hasSuffix(#"multiValue "env" "Profile.environment": "Profile.staging""#))
        }
        let taps = Array(repeating: "v tap", count: 10)
        #expect(
            received.withLock { $0 } == [
                "t toggle(true)", "t toggle(false)", "card tap", "where tap", #"bought receipt("123")"#, "bought more",
                "more: 1 tap", "head tap",
            ] + taps + [#"env choice("env.staging")"#]
        )
    }

    @Test func `What iOS clients send`() async throws {
        var configuration = DynamicViewsClientConfiguration()
        configuration.locationPermission = .denied
        let app = try DynamicViewsClient(makeRouter(), configuration: configuration)
        try await app.load("profile")
        try await app.tap("card")
        try await app.tap("where")
        try await app.tapReceipt("123")
        try await app.tapMore(in: "bought")
        try await app.toggle("t")
        #expect(
            app.sent == [
                ["widgetId": "Snabble.DynamicView.CustomerCard.information"],
                ["widgetId": "Snabble.LocationPermission.denied-restricted"],
                ["widgetId": "bought", "userInfo": ["id": "123"]], ["widgetId": "bought"],
                ["widgetId": "t", "userInfo": ["show": true]],
            ]
        )
    }

    @Test func `An Android client gets its own document, and sends the document's ids`() async throws {
        var configuration = DynamicViewsClientConfiguration()
        configuration.dialect = .android
        let app = try DynamicViewsClient(makeRouter(), configuration: configuration)
        try await app.load("profile")
        #expect(app.widgets.allSatisfy { $0["padding"] == [0] })
        #expect(app.texts.first == "Profile.card")
        try await app.tap("card")
        try await app.toggle("t")
        try await app.choose("staging", from: "env")
        #expect(app.choice(of: "Profile.environment") == "env.staging")
        try await app.tap("client")
        #expect(
            app.sent == [
                ["widgetId": "card"], ["widgetId": "t", "userInfo": ["checked": true]],
                ["widgetId": "env", "userInfo": ["selection": "env.staging"]], ["widgetId": "client"],
            ]
        )
        for _ in 0..<5 { try await app.tap("v") }
        #expect(app.asksForPassword)
        #expect(
            app.screen == """
                profile: list, image "Profile/back"
                  image "head", image "Profile/head"
                  snabble.customerCard "card" "Profile.card"
                  snabble.locationPermission "where"
                  snabble.lastPurchases "bought"
                  section "s" "Profile.header"
                    toggle "t" "Profile.showOnboarding": on
                    snabble.version "v"
                  snabble.switchEnvironment "env" "Profile.environment": "Profile.staging"
                  snabble.clientId "client"
                in front of it: the question for the password of developer mode
                """
        )
    }

    @Test func `A navigation that names no view, or one that isn't there, leads nowhere`() async throws {
        let app = try DynamicViewsClient(makeRouter())
        try await app.load("profile")
        let failure = await #expect(throws: StepError.self) { try await app.tap("Profile.away") }
        #expect(failure?.problem == #"its resource "https://example.com/more" is not the name of a view"#)
        let group = await #expect(throws: StepError.self) { try await app.tap("Profile.header") }
        #expect(group?.problem == "a section can't be tapped: tap one of the widgets inside it")
        #expect(app.stack == ["profile"])
        #expect(app.sent == [])
    }

    @Test func `A step that can't be done says why`() async throws {
        let app = try DynamicViewsClient(makeRouter())
        func problem(_ step: () async throws -> Void) async -> String? {
            do {
                try await step()
                return nil
            } catch let failure as StepError {
                return failure.problem
            } catch {
                return "\(error)"
            }
        }
        #expect(await problem { try await app.reload() } == "no view is on the screen")
        try await app.load("profile")
        let wrong = #"no widget for it is called "Profile.showOnbording"; there is "Profile.showOnboarding""#
        #expect(await problem { try await app.toggle("Profile.showOnbording") } == wrong)
        #expect(
            await problem { try await app.tap("t") } == "a toggle isn't tapped: call toggle(…) or choose(…, from: …)"
        )
        #expect(await problem { try await app.choose("x", from: "env") } == #"no widget for it is called "env""#)
        #expect(await problem { try app.back() } == "navigation has led nowhere")
        #expect(await problem { try app.enterPassword("x") } == "nobody asks for it: tap the version five times")
        #expect(app.sent == [])
        await #expect(throws: DynamicViewsClientError.refused(status: 404, text: "nothing answers at /views/x.json")) {
            try await app.load("x")
        }
        #expect(app.name == "profile")
    }

    @Test func `A document that breaks rules is a failure of the backend`() async throws {
        let app = try DynamicViewsClient(makeRouter())
        let failure = await #expect(throws: BackendError.self) { try await app.load("broken") }
        #expect(failure?.findings.map(\.rule) == ["duplicate-id"])
    }

    @Test(arguments: ["", "[]", "{,}"])
    func `What is no document`(body: String) async throws {
        let router = Router()
        router.get("/views/x.json") { _ in Response(body: .bytes(Array(body.utf8))) }
        let app = try DynamicViewsClient(router)
        let failure = await #expect(throws: DynamicViewsClientError.self) { try await app.load("x") }
        #expect(failure?.description.hasPrefix("the response isn't a document: ") == true)
    }
}
