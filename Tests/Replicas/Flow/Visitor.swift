import BacklotTesting

/// Somebody who comes, logs in, counts, and logs out everywhere; and then once more in the Xpedite app.
struct Visitor {
    let name: String
    let url: String

    func visit() async throws {
        let app = try ApplinClient(url: url)
        try await app.launch()
        try await app.logIn(as: name)
        try await app.tap("Count in the session")
        for number in 1...3 { try await app.count(to: number, as: name) }
        try await app.back()
        try await app.tap("Log out everywhere")
        try app.checkResponses(for: name)
        try await app.tap("Members")
        try expect(app.errorText?.hasPrefix("You are not logged in") == true, "\(name) is still in:\n\(app.screen)")
        try await xpedite()
    }

    private func xpedite() async throws {
        let app = try XpediteClient(url: url + "xpedite")
        try await app.connect()
        try await app.tap("Log in")
        try app.enter(name, into: "User name")
        try app.enter("secret", into: "Password")
        try await app.tap("Log in")
        for method in ["customers", "home", "about", "home"] { try await app.call(method) }
        try expect(app.labels.contains("Welcome, \(name)"), "\(name) was logged out:\n\(app.screen)")
        try await app.call("logout")
        try expect(app.rc == 0 && !app.labels.contains("Welcome, \(name)"), "\(name) is still in:\n\(app.screen)")
    }
}
