/// What is known of the app around a feed, for rules about what the feed refers to. nil: not known, and not judged.
public struct FeedFacts: Sendable, Equatable {
    /// The sections of the feed, for an entry by itself.
    var sections: [Int]?
    /// The numbers of the texts that the app's master language has.
    public var texts: Set<Int>?

    /// What is known.
    public init(texts: Set<Int>? = nil) { self.texts = texts }
}
