import Backlot
import BacklotTesting
import DynamicViews
import Testing

@testable import demo_server

/// The views as people use them, in process and over a socket. Each document is judged by the client when it comes.
@Suite(.timeLimit(.minutes(5))) struct ShopAppTests {
    private func withApp(
        _ reach: ClientReach,
        _ dialect: Dialect = .ios,
        _ body: (DynamicViewsClient) async throws -> Void
    ) async throws {
        let router = Router.demo()
        var configuration = DynamicViewsClientConfiguration()
        configuration.dialect = dialect
        try await withDynamicViewsClient(router, over: reach, configuration: configuration, body)
    }

    private static let dashboard = """
        dashboard: scroll, image "Dashboard/teaser"
          image "1", image "Dashboard/image"
          text "2" "Dashboard.title"
          text "3" "Dashboard.text"
          snabble.locationPermission "4"
          snabble.startShopping "5"
          snabble.allStores "6"
          snabble.connectWifi "7"
          snabble.customerCard "8"
          snabble.lastPurchases "11"
        """

    @Test(arguments: ClientReach.allCases)
    func `What is tapped on the dashboard changes it`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            try await app.load("dashboard")
            #expect(app.screen == Self.dashboard)
            try await app.tap("6")
            #expect(app.isNotModified)
            try await app.tap("4")
            #expect(!app.isNotModified)
            try await app.tap("5")
            try await app.tap("7")
            try await app.tap("8")
            try await app.tapReceipt("12345")
            try await app.tapMore()
            #expect(
                app.screen == """
                    dashboard: scroll, image "Dashboard/teaser"
                      image "1", image "Dashboard/image"
                      text "2" "Dashboard.title"
                      text "3" "Dashboard.shopping"
                      snabble.startShopping "5"
                      snabble.allStores "6"
                      text "online" "Dashboard.online"
                      snabble.customerCard "8"
                      text "cardInfo" "Dashboard.cardInfo"
                      snabble.lastPurchases "11"
                      text "receipt" "Dashboard.receipt"
                      text "purchases" "Dashboard.purchases"
                    """
            )
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `What is set in the profile changes both`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            try await app.load("profile")
            try await app.toggle("Profile.showOnboarding")
            try await app.tap("Profile.start")
            #expect(app.texts.first == "Dashboard.onboarding")
            try await app.tap("5")
            try app.back()
            for _ in 0..<5 { try await app.tap("version") }
            try app.enterPassword("Snabble")
            try await app.choose("staging", from: "Profile.environment")
            #expect(app.storage["io.snabble.environment"] == "io.snabble.environment.staging")
            #expect(app.texts.contains("Profile.Environment.staging"))
            try await app.tap("Profile.resetAppID")
            #expect(app.texts.contains("Profile.resetAppID.done"))
            #expect(!app.texts.contains("Profile.Environment.staging"))
            try await app.load("dashboard")
            #expect(app.screen == Self.dashboard)
        }
    }

    @Test func `Who refuses the location is told so`() async throws {
        let router = Router.demo()
        var configuration = DynamicViewsClientConfiguration()
        configuration.locationPermission = .denied
        let app = try DynamicViewsClient(router, configuration: configuration)
        try await app.load("dashboard")
        try await app.tap("4")
        #expect(app.texts.contains("Dashboard.locationDenied"))
    }

    @Test func `Android clients get what they know`() async throws {
        try await withApp(.inProcess, .android) { app in
            try await app.load("dashboard")
            #expect(app.document["widgets"]?[0]?["padding"] == [0, 0, 16, 0])
            #expect(app.texts.last == "Dashboard.customerCard")
            try await app.load("profile")
            #expect(
                app.screen == """
                    profile: list
                      section "settings" "Profile.header"
                        toggle "onboarding" "Profile.showOnboarding": off
                      section "about" "Profile.about"
                        snabble.version "version"
                      section "developers" "Profile.developers"
                        snabble.switchEnvironment "io.snabble.environment" "Profile.environment": nothing chosen
                        snabble.devSettings "io.snabble.developerMode" "Profile.developerMode"
                        snabble.appUserId "appUserId"
                        snabble.clientId "clientId"
                    """
            )
            try await app.choose("Profile.Environment.staging", from: "Profile.environment")
            #expect(app.texts.contains("Profile.Environment.staging"))
            try await app.toggle("Profile.showOnboarding")
            try await app.load("dashboard")
            #expect(app.texts.first == "Dashboard.onboarding")
        }
    }

    @Test func `Every state is clean in both dialects, and its texts and pictures are listed`() throws {
        let states = [
            ShopState(),
            ShopState(
                location: .denied,
                isShopping: true,
                isOnWifi: true,
                showsCard: true,
                receipt: "1",
                showsPurchases: true,
                showsOnboarding: true,
                environment: "io.snabble.environment.production",
                reset: "Profile.resetClientID"
            ),
            ShopState(location: .allowed, environment: "io.snabble.environment.testing", reset: "Profile.resetAppID"),
            ShopState(environment: "io.snabble.environment.staging"),
        ]
        var texts: Set<String> = []
        var images: Set<String> = []
        for dialect in [Dialect.ios, .android] {
            for state in states {
                let profile = ProfileView(state: state, platform: dialect.platform)
                for document in [DashboardView(state: state).document, profile.document] {
                    let value = try JSONValue(parsing: document.bytes(for: dialect))
                    let findings = DynamicViewsRules.findings(
                        in: value,
                        name: "d",
                        dialect: dialect,
                        catalogue: ShopApp.catalogue
                    )
                    #expect(findings == [])
                    texts.formUnion(DocumentNames(in: value).texts.keys)
                    images.formUnion(DocumentNames(in: value).images.keys)
                }
            }
        }
        #expect(ShopApp.catalogue == Catalogue(texts: texts, images: images))
    }
}
