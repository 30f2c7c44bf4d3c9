/// A feed in one language.
public struct FeedStream: Sendable, Hashable {
    /// What stands for the language of a feed that all languages share.
    public static let shared = ""

    /// The feed's name.
    public let feed: String
    /// The code of the language; empty for a feed that all languages share.
    public let language: String

    /// A feed in one language.
    public init(feed: String, language: String) {
        self.feed = feed
        self.language = language
    }
}
