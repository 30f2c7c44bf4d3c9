import Applin
import Backlot
import BacklotMocks
import BacklotTesting
import DynamicViews
import Floki
import Logging
import Testing
import Xpedite

@testable import demo_server

/// The app that is made of files, as a client sees it.
@Suite(.timeLimit(.minutes(5))) struct LibraryTests {
    private func run(_ reach: ClientReach, _ body: (ApplinClient) async throws -> Void) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var mocks = MockConfiguration(formats: MockSite.formats)
        mocks.path = MockMount.path
        let backend = MockBackend(mocks, logger: logger)
        try RouteFiles(MockOptions.usualFolder, backend: backend).load()
        let router = Router()
        router.mocks(backend)
        router.explainMismatches(of: backend)
        var configuration = ApplinClientConfiguration()
        // Mock routes are no routes of the router, which is who knows where links lead and what answers POST.
        configuration.ignoredRules = ["dead-link", "dead-rpc", "inputs-without-post"]
        try await withApplinClient(router, at: MockMount.path, over: reach, configuration: configuration, body)
    }

    @Test(arguments: ClientReach.allCases)
    func `A book is borrowed and returned`(reach: ClientReach) async throws {
        try await run(reach) { app in
            try await app.launch()
            try await app.tap("Books")
            try await app.tap("The River Map")
            #expect(app.texts.contains("Book 1 is on the shelf."))
            try await app.tap("Borrow")
            #expect(app.texts.first?.hasPrefix("You have borrowed book 1.") == true)
            try await app.tap("Return")
            #expect(app.texts.contains("Book 1 is on the shelf."))
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `Somebody logs in, looks at the card and logs out`(reach: ClientReach) async throws {
        try await run(reach) { app in
            try await app.launch()
            try await app.tap("My Card")
            #expect(app.errorText == "Please log in to see your card.")
            try await app.back()
            try await app.tap("Log In")
            try await app.tap("Log In")
            #expect(app.errorText == "Please enter your name.")
            try await app.back()
            try await app.enter("Ann", into: "Name")
            try await app.tap("Log In")
            #expect(app.stack == ["/", "/card"])
            #expect(app.texts.contains("This card is Ann's."))
            try await app.tap("Log Out")
            #expect(app.stack == ["/"])
            try await app.tap("My Card")
            #expect(app.errorKind == .user)
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `What is entered chooses the response`(reach: ClientReach) async throws {
        try await run(reach) { app in
            try await app.launch(at: "/search")
            try await app.enter("bread", into: "Title")
            try await app.wait(.seconds(1))
            #expect(app.texts.contains("No book is called “bread”. Try “river”."))
            try await app.enter("RIVER", into: "Title")
            try await app.wait(.seconds(1))
            try await app.tap("The River Map")
            #expect(app.stack == ["/search", "/books/1"])
        }
    }
}
