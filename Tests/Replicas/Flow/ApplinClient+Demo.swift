import BacklotTesting

/// The steps of people who use demo-server.
extension ApplinClient {
    /// From the home page.
    func logIn(as name: String) async throws {
        try await tap("Log In")
        try await enter(name, into: "Name")
        try await enter("secret", into: "Password")
        try await tap("Log In")
        try expect(texts.contains("You are logged in as \(name)."), "\(name) can't log in:\n\(screen)")
    }

    /// On the counter's page: one step further.
    func count(to number: Int, as name: String) async throws {
        try await tap("Count")
        let expected = "Counted to \(number) by \(name)."
        try expect(texts.contains(expected), "no '\(expected)', but:\n\(screen)")
    }

    /// Throws unless every request got a response with status 200.
    func checkResponses(for name: String) throws {
        for request in requests where request.status != 200 {
            throw Surprise(description: "\(name): \(request.description)")
        }
    }
}
