package import Backlot

/// The vocabulary that the clients of an app know, and the inspector that applies it to pages.
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
    /// The table of Applin's own words. It is made for the first inspection, so that it doesn't delay a server's start.
    private static let ownTable = Table(ApplinVocabulary.all)

    /// The table of Applin's words and the extensions; nil without extensions.
    private let extendedTable: Table?

    /// Applin's own words and some extensions.
    init(_ extensions: [ApplinExtension]) {
        extendedTable = extensions.isEmpty ? nil : Table(ApplinVocabulary.all.adding(extensions.map(\.kind)))
    }

    package var vocabulary: Vocabulary { table.vocabulary }
    var judge: DocumentInspector<PageFacts> { table.judge }

    private var table: Table { extendedTable ?? Self.ownTable }
}
