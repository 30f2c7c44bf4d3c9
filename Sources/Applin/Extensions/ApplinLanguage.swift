package import Backlot

/// The words that the clients of an app know, and what judges pages by them.
package struct ApplinLanguage: Sendable {
    private struct Table: Sendable {
        let vocabulary: Vocabulary
        let judge: DocumentInspector<PageFacts>

        init(_ vocabulary: Vocabulary) {
            self.vocabulary = vocabulary
            judge = DocumentInspector(vocabulary, rules: ApplinRules.rules)
        }
    }

    /// Applin's own words.
    package static let standard = ApplinLanguage([])
    /// The table of Applin's own words. It is made when a page is judged: a server that starts doesn't wait for it.
    private static let ownTable = Table(ApplinVocabulary.all)

    /// The table of Applin's words and others; nil where there are no others.
    private let extendedTable: Table?

    /// Applin's own words and some extensions.
    init(_ extensions: [ApplinExtension]) {
        extendedTable = extensions.isEmpty ? nil : Table(ApplinVocabulary.all.adding(extensions.map(\.kind)))
    }

    package var vocabulary: Vocabulary { table.vocabulary }
    var judge: DocumentInspector<PageFacts> { table.judge }

    private var table: Table { extendedTable ?? Self.ownTable }
}
