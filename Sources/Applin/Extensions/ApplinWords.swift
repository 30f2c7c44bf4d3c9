package import Backlot

/// The words that the clients of an app know, and what judges pages by them.
package struct ApplinWords: Sendable {
    /// Applin's own words.
    package static let standard = ApplinWords(vocabulary: ApplinVocabulary.all)

    package let vocabulary: Vocabulary
    let judge: DocumentJudge<PageFacts>

    /// Applin's own words and some extensions.
    init(_ extensions: [ApplinExtension]) {
        if extensions.isEmpty {
            self = .standard
        } else {
            self.init(vocabulary: ApplinVocabulary.all.adding(extensions.map(\.kind)))
        }
    }

    private init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        judge = DocumentJudge(vocabulary, rules: ApplinRules.rules)
    }
}
