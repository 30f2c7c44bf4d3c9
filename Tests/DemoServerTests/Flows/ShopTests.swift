import Applin
import Backlot
import BacklotMocks
import BacklotTesting
import DynamicViews
import Floki
import Logging
import Testing
import Xpedite

/// The shop of the app that is made of files: data that its routes change.
@Suite(.timeLimit(.minutes(5))) struct ShopTests {
    private func make() throws -> (router: Router, backend: MockBackend) {
        var mocks = MockConfiguration(formats: [.applin(), .xpedite(), .floki(), .dynamicViews()])
        mocks.path = "/mock/"
        let backend = MockBackend(mocks, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try RouteFiles("Routes", backend: backend).load()
        let router = Router()
        router.mocks(backend)
        router.explainMismatches(of: backend)
        return (router, backend)
    }

    private var configuration: ApplinClientConfiguration {
        var configuration = ApplinClientConfiguration()
        // Mock routes are no routes of the router, which is who knows where links lead and what answers POST.
        configuration.ignoredRules = ["dead-link", "dead-rpc", "inputs-without-post"]
        return configuration
    }

    private func run(_ reach: ClientReach, _ router: Router, _ body: (ApplinClient) async throws -> Void) async throws {
        try await withApplinClient(router, at: "/mock/", over: reach, configuration: configuration, body)
    }

    @Test(arguments: ClientReach.allCases)
    func `Goods go into the cart, their amounts change, and they are ordered`(reach: ClientReach) async throws {
        let (router, _) = try make()
        try await run(reach, router) { app in
            try await app.launch()
            try await app.tap("Shop")
            try await app.tap("A Linen Bag")
            #expect(app.prices == ["A Linen Bag costs 7.90 €."])
            try await app.tap("Add to Cart")
            #expect(app.stack == ["/shop", "/shop/cart"])
            #expect(app.prices == ["1 × A Linen Bag: 7.90 €", "Total: 7.90 € for 1 pieces."])
            try await app.tap("One More: A Linen Bag")
            #expect(app.prices == ["2 × A Linen Bag: 15.80 €", "Total: 15.80 € for 2 pieces."])
            try await app.back()
            try await app.tap("A Bookmark")
            try await app.tap("Add to Cart")
            try await app.back()
            try await app.tap("A Bookmark")
            try await app.tap("Add to Cart")
            #expect(
                app.prices == ["2 × A Linen Bag: 15.80 €", "2 × A Bookmark: 2.40 €", "Total: 18.20 € for 4 pieces."]
            )
            try await app.tap("Remove: A Bookmark")
            try await app.tap("One Less: A Linen Bag")
            #expect(app.prices == ["1 × A Linen Bag: 7.90 €", "Total: 7.90 € for 1 pieces."])
            try await app.tap("Check Out")
            #expect(app.prices.count == 1 && app.prices[0].hasSuffix(": 1 kinds for 7.90 €."))
            try await app.tap("Back to the Shop")
            try await app.tap("Your Cart")
            #expect(app.prices == ["Your cart is empty."])
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `The last piece leaves the cart, and two phones never share one`(reach: ClientReach) async throws {
        let (router, backend) = try make()
        try await run(reach, router) { first in
            try await first.launch(at: "/shop/goods/1")
            try await first.tap("Add to Cart")
            try await run(reach, router) { second in
                try await second.launch(at: "/shop")
                try await second.tap("Your Cart")
                #expect(second.prices == ["Your cart is empty."])
                try await second.back()
                try await second.tap("A Linen Bag")
                try await second.tap("Add to Cart")
                #expect(second.prices.first == "1 × A Linen Bag: 7.90 €")
            }
            try await first.tap("One Less: A Print of the River Map")
            #expect(first.prices == ["Your cart is empty."])
            #expect(backend.data.clients == 2)
        }
    }
}

extension ApplinClient {
    /// The texts about what things cost, without those of buttons.
    fileprivate var prices: [String] { texts.filter { $0.contains("€") || $0.hasSuffix("empty.") } }
}
