package import Backlot

/// Every document of an app, with its objects and keys.
///
/// Source: Floki server protocols, and the behaviour of the public clients for iOS 3.0 and Android 1.1.
package enum FlokiVocabulary {
    /// Each kind is declared beside the type that writes it.
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
    /// The public clients, which understand the same words.
    package static let floki = Audience(
        dialect: "floki",
        noun: "the clients",
        advice: "serve the app to them"
    )
}

extension ValueType {
    /// A number of 32 bits above 0.
    static let positive = integer(1...Int64(Int32.max))
    /// A number of 32 bits.
    static let anyInteger = integer(Int64(Int32.min)...Int64(Int32.max))
}
