// swift-format-ignore-file
// Made from a recording by demo-server. The target needs the products Applin, Backlot, BacklotMocks and BacklotTesting.
import Applin
import Backlot
import BacklotMocks
import BacklotTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The steps of a recorded session, and the screens that people saw.
///
/// The test uses the backend with the base URL in the environment variable `BACKLOT_URL`, which must be in its state at the
/// beginning of the recording. Without `BACKLOT_URL`, the test uses mock routes: those of the folder `BACKLOT_ROUTES`, or else
/// of `Tests/DemoServerTests/Recorded/Routes`.
struct NotesRecordedTests {
    // The recording's pseudonyms for secrets, which mock routes accept. For a backend, put the real ones into the environment.
    private static let notesNewPassword = environment["BACKLOT_NOTES_NEW_PASSWORD"] ?? "hbjxxwx hdysp"
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `The recorded session`() async throws {
        try await Self.replay(on: Self.makeClient())
    }

    /// Repeats the recorded steps.
    ///
    /// - Parameter app1: a client that isn't launched; the others are its other devices.
    static func replay(on app1: ApplinClient) async throws {
        let app2 = app1.otherDevice()
        try await app1.launch()
        #expect(app1.title == "Backlot Demo")
        #expect(app1.stack == ["/"])
        #expect(app1.texts.contains("Start here"))
        #expect(app1.texts.contains("New Account"))

        try await app2.launch()
        #expect(app2.title == "Backlot Demo")
        #expect(app2.stack == ["/"])
        #expect(app2.texts.contains("Start here"))
        #expect(app2.texts.contains("New Account"))

        try await app1.tap("Notes")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/", "/notes"])
        #expect(app1.texts.contains("Write notes, and find them again while the server runs."))
        #expect(app1.texts.contains("Create an account"))

        try await app2.tap("Notes")
        #expect(app2.title == "Notes")
        #expect(app2.stack == ["/", "/notes"])
        #expect(app2.texts.contains("Write notes, and find them again while the server runs."))
        #expect(app2.texts.contains("Create an account"))

        try await app1.tap("Create an account")
        #expect(app1.title == "Create Account")
        #expect(app1.stack == ["/", "/notes", "/notes/new_account"])
        #expect(app1.texts.contains("This is a demo: the password isn't kept. Use none that you use elsewhere."))
        #expect(app1.texts.contains("Name"))

        try await app2.tap("Create an account")
        #expect(app2.title == "Create Account")
        #expect(app2.stack == ["/", "/notes", "/notes/new_account"])
        #expect(app2.texts.contains("This is a demo: the password isn't kept. Use none that you use elsewhere."))
        #expect(app2.texts.contains("Name"))

        try await app1.enter("b", into: "Name")
        try await app1.tap("Create Account")
        #expect(app1.errorText == "Please correct the marked fields.")

        try await app1.back()
        #expect(app1.title == "Create Account")
        #expect(app1.stack == ["/", "/notes", "/notes/new_account"])
        #expect(app1.errors.count == 2)

        try await app1.enter("ann", into: "Name")
        try await app1.enter(Self.notesNewPassword, into: "Password")
        try await app1.tap("Create Account")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/notes"])
        #expect(app1.errors.isEmpty)
        #expect(app1.texts.contains("You are ann"))
        #expect(app1.texts.contains("New note"))

        try await app2.enter("bob", into: "Name")
        try await app2.enter(Self.notesNewPassword, into: "Password")
        try await app2.tap("Create Account")
        #expect(app2.title == "Notes")
        #expect(app2.stack == ["/notes"])
        #expect(app2.texts.contains("You are bob"))
        #expect(app2.texts.contains("New note"))

        // The client refreshes the page by itself.
        try await app1.wait(.seconds(5))

        // The client refreshes the page by itself.
        try await app2.wait(.seconds(5))

        try await app1.tap("New note")
        #expect(app1.title == "New Note")
        #expect(app1.stack == ["/notes", "/notes/new"])
        #expect(app1.texts.contains("Text"))
        #expect(app1.texts.contains("Add"))

        try await app2.tap("New note")
        #expect(app2.title == "New Note")
        #expect(app2.stack == ["/notes", "/notes/new"])
        #expect(app2.texts.contains("Text"))
        #expect(app2.texts.contains("Add"))

        try await app1.enter("Buy milk 🥛 and \"bread\"", into: "Text")
        try await app1.tap("Add")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/notes"])
        #expect(app1.texts.contains("Buy milk 🥛 and \"bread\""))

        try await app2.enter("Call the plumber", into: "Text")
        try await app2.tap("Add")
        #expect(app2.title == "Notes")
        #expect(app2.stack == ["/notes"])
        #expect(app2.texts.contains("Call the plumber"))

        // The client refreshes the page by itself.
        try await app1.wait(.seconds(5))

        // The client refreshes the page by itself.
        try await app2.wait(.seconds(5))

        try await app1.tap("Buy milk 🥛 and \"bread\"")
        #expect(app1.title == "Note")
        #expect(app1.stack.count == 2)
        #expect(app1.texts.contains("Text"))
        #expect(app1.texts.contains("Leave without saving"))

        try await app1.enter("Buy oat milk", into: "Text")
        try await app1.back()
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/notes"])
        #expect(app1.texts.contains("Buy oat milk"))

        try await app2.tap("Call the plumber")
        #expect(app2.title == "Note")
        #expect(app2.stack.count == 2)
        #expect(app2.texts.contains("Text"))
        #expect(app2.texts.contains("Leave without saving"))

        // The client refreshes the page by itself.
        try await app1.wait(.seconds(5))

        // The client refreshes the page by itself.
        try await app2.wait(.seconds(5))

        try await app2.tap("Delete…")
        #expect(app2.modal?.title == "Delete this note?")

        try await app2.tap("Delete")
        #expect(app2.title == "Notes")
        #expect(app2.stack == ["/notes"])
        #expect(app2.texts.contains("You have no notes yet. Tap New note to write one."))

        // The client refreshes the page by itself.
        try await app1.wait(.seconds(5))

        // The client refreshes the page by itself.
        try await app2.wait(.seconds(5))

        try await app1.tap("All demos")
        #expect(app1.title == "Backlot Demo")
        #expect(app1.stack == ["/"])

        try await app1.tap("Photos")
        #expect(app1.title == "Photos")
        #expect(app1.stack == ["/", "/photos"])
        #expect(app1.texts.contains("Send"))
        #expect(app1.texts.contains("Choose a photo"))

        try await app1.tap("Choose a photo")
        #expect(app1.asksForPhoto)

        try await app1.uploadPhoto()
        #expect(app1.texts.contains("Remove all"))

        try await app1.tap("Too large")
        #expect(app1.asksForPhoto)

        try await app1.uploadPhoto()
        #expect(app1.errorKind == .user)

        try await app1.back()
        #expect(app1.title == "Photos")
        #expect(app1.stack == ["/", "/photos"])

        try await app1.back()
        #expect(app1.title == "Backlot Demo")
        #expect(app1.stack == ["/"])

        try await app1.tap("Notes")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/", "/notes"])

        try await app1.tap("Log out")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/notes"])
        #expect(app1.texts.contains("Write notes, and find them again while the server runs."))
        #expect(app1.texts.contains("Create an account"))

        try await app2.tap("Log out")
        #expect(app2.texts.contains("Write notes, and find them again while the server runs."))
        #expect(app2.texts.contains("Create an account"))

        try await app1.tap("Log in")
        #expect(app1.title == "Log In")
        #expect(app1.stack == ["/notes", "/notes/log_in"])
        #expect(app1.texts.contains("This is a demo: the password isn't checked."))
        #expect(app1.texts.contains("Name"))

        try await app1.enter("ann", into: "Name")
        try await app1.enter(Self.notesNewPassword, into: "Password")
        try await app1.tap("Log In")
        #expect(app1.title == "Notes")
        #expect(app1.stack == ["/notes"])
        #expect(app1.texts.contains("Buy oat milk"))
        #expect(app1.texts.contains("You are ann"))

        try await app1.tap("Buy oat milk")
        #expect(app1.title == "Note")
        #expect(app1.stack.count == 2)
    }

    /// A client of the backend, or of the mock routes.
    static func makeClient() throws -> ApplinClient {
        let configuration = ApplinClientConfiguration()
        if let url = environment["BACKLOT_URL"] { return try ApplinClient(url: url, configuration: configuration) }
        let backend = MockBackend(MockConfiguration(formats: [.applin()]))
        try RouteFiles(environment["BACKLOT_ROUTES"] ?? "Tests/DemoServerTests/Recorded/Routes", backend: backend).load()
        let router = Router()
        router.mocks(backend)
        return try ApplinClient(router.handler(), at: "/objects/", configuration: configuration)
    }
}
