public import BacklotHTTP

/// Lets only users in who are logged in; others get 403 with a text.
///
/// ```swift
/// app.group("", RequireLogin()) { members in … }
/// ```
/// It stands inside a group with a `SessionMiddleware`, or after one in the same group.
public struct RequireLogin: Middleware {
    private let text: String?

    /// A middleware for groups.
    ///
    /// - Parameter text: what users read who are not logged in; nil for `SessionConfiguration.logInText`.
    public init(_ text: String? = nil) {
        self.text = text
    }

    /// Handles a request of a user who is logged in.
    ///
    /// - Throws: `StatusError` with 403 where nobody is logged in, what `Request.session` throws, and what `next` does.
    public func answer(_ request: Request, next: any Handler) -> Answer {
        .pending {
            _ = try await request.session.requireLogin(text)
            return try await next(request)
        }
    }
}
