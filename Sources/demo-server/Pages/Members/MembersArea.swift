import Applin
import Backlot

/// The pages about sessions, and what they have in common.
enum MembersArea {
    /// The pages that the home page links to.
    static let pages: [any DemoPage] = [LogInPage(), MembersPage(), CounterPage(), ExpiredSessionPage()]

    /// Who is logged in.
    ///
    /// - Throws: `StatusError` with 403 and a text for the user when nobody is.
    static func user(of request: Request) async throws -> String {
        guard let user = try await request.session.user else {
            throw StatusError(.forbidden, "You are not logged in, or not any more. Please log in.")
        }
        return user
    }
}
