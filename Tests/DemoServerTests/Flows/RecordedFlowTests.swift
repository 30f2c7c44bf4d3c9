import Applin
import Backlot
import BacklotTesting
import Testing

@testable import demo_server

/// What the program serves.
private func makeRouter() -> Router {
    let router = Router.demo()
    return router
}

// Preview has written this test; Tests/Browser compares it with what it writes.
@Test(arguments: ClientReach.allCases)
func backlotDemoFlow(reach: ClientReach) async throws {
    try await withApplinClient(makeRouter(), at: "/objects/", over: reach) { app in
        try await app.launch()
        try await app.tap("Sign Up")
        try await app.back()
        try await app.tap("Checkbox")
        try await app.tap("Option 1")
        try await app.check("no_label")
        try await app.back()
        try await app.tap("New Account")
        try await app.enter("Ada \"the\" \\ Countess", into: "Username")
        try await app.tap("Create Account")
        try await app.back()
        try await app.tap("I agree")
        try await app.tap("Create Account")
        #expect(app.stack == ["/"])
        #expect(app.title == "Backlot Demo")
    }
}
