import Backlot
import BacklotTesting
import Testing

/// Code of the articles "Testing", "Make a test from traffic" and "From recording to test".
enum TestingCode {
    static let notesNewPassword = ""

    static func elsewhere() throws -> ApplinClient {
        let app = try ApplinClient(
            url: "https://staging.example.com/",
            transport: SocketTransport(trusting: .only(TLSTrust(.file("ca.pem"))))
        )
        return app
    }

    static func recorded(_ app: ApplinClient) async throws {
        try await app.tap("Create an account")
        #expect(app.title == "Create Account")
        #expect(app.stack == ["/notes", "/notes/new_account"])

        try await app.enter("ann", into: "Name")
        try await app.enter(Self.notesNewPassword, into: "Password")
        try await app.tap("Create Account")
        #expect(app.title == "Notes")
        #expect(app.texts.contains("You are ann"))

        // The client refreshes the page by itself.
        try await app.wait(.seconds(5))

        // Nothing on the screen explains this request.
        let response = try await app.send(.post, "/metrics", type: "application/json", body: Array("{}".utf8))
        #expect(response.status.code == 204)
    }

    static func tutorial(_ app: ApplinClient) async throws {
        try await app.launch(at: "/notes")
        #expect(app.title == "Notes")
        try await app.tap("Create an account")
        #expect(app.title == "Create Account")
    }
}
