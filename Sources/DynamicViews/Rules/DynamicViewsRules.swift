public import Backlot

/// Inspects documents as clients get them, whether they come from this library, a file or another backend.
///
/// Source: Dynamic Views documentation, and the observed behaviour of clients.
public enum DynamicViewsRules {
    /// Compares each document with ``DynamicViewsVocabulary``, then applies rules that a vocabulary can't express.
    private static let judge = DocumentInspector<Catalogue>(
        DynamicViewsVocabulary.all,
        rules: [
            ViewRules.ids, ViewRules.versions, ViewRules.sections, ViewRules.ignoredPaddings,
            StorageRules.keys, StorageRules.options,
            NameRules.listed,
        ]
    )

    /// The findings for a document, in its order; empty without faults.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - name: the document's name in findings, such as its path.
    ///   - dialect: the clients that it is for.
    ///   - catalogue: the texts and pictures that the app has.
    public static func findings(
        in document: JSONValue,
        name: String,
        dialect: Dialect = .ios,
        catalogue: Catalogue = Catalogue()
    ) -> [Finding] {
        findings(in: document, name: name, dialect: dialect, catalogue: catalogue, lines: nil)
    }

    /// The findings for a document from a file, each with its line.
    public static func findings(
        in document: ImportedDocument,
        name: String,
        dialect: Dialect = .ios,
        catalogue: Catalogue = Catalogue()
    ) -> [Finding] {
        findings(in: document.value, name: name, dialect: dialect, catalogue: catalogue, lines: document.lines)
    }

    private static func findings(
        in document: JSONValue,
        name: String,
        dialect: Dialect,
        catalogue: Catalogue,
        lines: SourceLines?
    ) -> [Finding] {
        judge.findings(
            in: document,
            as: Document.vocabulary,
            name: name,
            for: dialect.audience,
            facts: catalogue,
            lines: lines
        )
    }

    /// The tree of a document for either platform, even of one that clients refuse.
    package static func tree(of document: JSONValue, dialect: Dialect = .ios) -> DocumentTree {
        judge.tree(of: document, as: Document.vocabulary, for: dialect.audience)
    }
}

typealias CheckedView = CheckedDocument<Catalogue>

extension CheckedView {
    var isForAndroid: Bool { audience.dialect == Dialect.Platform.android.rawValue }

    var isList: Bool {
        tree.nodes(Configuration.vocabulary).first?.string("style") == Configuration.Style.list.rawValue
    }
}
