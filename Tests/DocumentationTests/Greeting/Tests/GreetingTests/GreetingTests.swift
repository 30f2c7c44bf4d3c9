import BacklotTesting
import Testing

#if canImport(Greeting)
@testable import Greeting
#endif

struct GreetingTests {
    @Test(arguments: ClientReach.allCases)  // in process, and over a socket
    func `A new user is greeted by name`(reach: ClientReach) async throws {
        try await withApplinClient(makeRouter(), over: reach) { app in
            try await app.launch()
            #expect(app.texts.contains("Hello, world!"))
            try await app.tap("New Account")
            try await app.enter("Ada", into: "Username")
            try await app.tap("Create Account")
            #expect(app.errorText == "Please agree first.")
            try await app.back()
            try await app.check("I agree")
            try await app.tap("Create Account")
            #expect(app.texts.contains("Hello, Ada!"))
        }
    }
}
