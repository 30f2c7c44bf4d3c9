package import Backlot

/// The vocabulary of Floki: every document of an app, with its objects and keys.
///
/// Source: Floki server protocols, and the behaviour of the public clients for iOS 3.0 and Android 1.1.
package enum FlokiVocabulary {
    /// All kinds. Each one is declared beside the type that writes it.
    package static let all = Vocabulary(
        [
            VersionIndicator.vocabulary, AppData.vocabulary, DeviceLists.vocabulary, Tab.vocabulary,

            NewsViewController.vocabulary, GalleryViewController.vocabulary, WebViewController.vocabulary,
            MovieViewController.vocabulary, UnwrittenControllers.item, UnwrittenControllers.photo,
            UnwrittenControllers.preferences,

            FeedDocument.news, FeedDocument.gallery, Item.vocabulary, Thumb.vocabulary, Section.vocabulary,
        ],
        for: [.floki],
        refusal: "can't use it",
        refusesWhole: false
    )
}

extension Audience {
    /// The public clients, which all understand the same keys.
    package static let floki = Audience(
        dialect: "floki",
        noun: "the clients",
        advice: "serve the app to them"
    )
}

extension ValueType {
    /// A 32-bit integer above 0.
    static let positive = integer(1...Int64(Int32.max))
    /// A signed 32-bit integer.
    static let anyInteger = integer(Int64(Int32.min)...Int64(Int32.max))
}
