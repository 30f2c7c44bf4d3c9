public import BacklotHTTP
public import HTTPTypes

/// What the user entered is not acceptable: 422, with a text that a mobile client shows to the user.
///
/// Applin clients show the first 1,000 characters.
public struct UserError: HTTPError, Equatable {
    /// The text for the user.
    public var reason: String

    /// An error with a text for the user.
    public init(_ message: String) {
        reason = message
    }

    /// 422.
    public var status: HTTPResponse.Status { .unprocessableContent }
}
