public import Backlot

/// Inspects the documents that clients of Floki apps get, from any server.
///
/// Source: Floki server protocols, the behaviour of the public clients for iOS 3.0 and Android 1.1, and this project's
/// ``FlokiRuleReadings``.
public enum FlokiRules {
    /// Compares each document with ``FlokiVocabulary``, then applies rules that a vocabulary can't express.
    private static let judge = DocumentInspector<FlokiFacts>(
        FlokiVocabulary.all,
        rules: [
            AppRules.tabCount, AppRules.repeatedNumbers, AppRules.tabData, AppRules.texts, AppRules.unimplemented,
            AppRules.galleryRooms, LanguageRules.languages, PatternRules.patterns,
            FeedRules.sections, FeedRules.removed,
            FeedRules.olderWithSections,
            FeedRules.controllers, FeedRules.largePictures, AddressRules.rawCharacters, AddressRules.hyphens,
            AppRules.longestTTL,
        ]
    )

    /// The documents of an app.
    public enum Document: Sendable, CaseIterable {
        /// `{"v":…,"url":…,"ttl":…}`
        case indicator
        /// `{"tabs":…,"langs":…}`
        case appData
        /// `{"items":…}`
        case news
        /// `{"thumbs":…}`
        case gallery

        /// Recognizes a document by its keys; nil for any other document.
        public init?(_ document: JSONValue) {
            guard let object = document.object else { return nil }
            if object["tabs"] != nil || object["langs"] != nil {
                self = .appData
            } else if object["items"] != nil {
                self = .news
            } else if object["thumbs"] != nil {
                self = .gallery
            } else if object["v"] != nil || object["ttl"] != nil {
                self = .indicator
            } else {
                return nil
            }
        }

        /// The document in the response to a request for a feed.
        init(_ key: FeedKey) {
            switch key {
            case .items: self = .news
            case .thumbs: self = .gallery
            }
        }

        var vocabulary: Kind {
            switch self {
            case .indicator: VersionIndicator.vocabulary
            case .appData: AppData.vocabulary
            case .news: FeedDocument.news
            case .gallery: FeedDocument.gallery
            }
        }
    }

    /// The findings for a document, in the document's order; empty for a document without faults.
    ///
    /// - Parameters:
    ///   - document: the body of a response.
    ///   - kind: the expected document; nil to recognize it by its keys.
    ///   - name: the document's name in findings, such as its path.
    ///   - facts: facts about the app around it.
    ///   - readings: this project's interpretations of points that the reference leaves open.
    public static func findings(
        in document: JSONValue,
        as kind: Document? = nil,
        name: String,
        facts: FlokiFacts = FlokiFacts(),
        readings: FlokiRuleReadings = FlokiRuleReadings()
    ) -> [Finding] {
        guard let kind = kind ?? Document(document) else {
            let finding = Finding(
                .error,
                rule: "unknown-document",
                path: FindingPath(page: name),
                message: "The body is neither a version indicator nor app data nor a feed, so clients can't use it.",
                fix: "Respond with {\"v\":…}, {\"tabs\":…}, {\"items\":…} or {\"thumbs\":…}.",
                isRejection: false
            )
            return [finding]
        }
        var facts = facts
        facts.readings = readings
        return judge.findings(in: document, as: kind.vocabulary, name: name, for: .floki, facts: facts)
    }

    /// The tree of a document, also of one that clients can't read.
    package static func tree(of document: JSONValue) -> DocumentTree {
        judge.tree(of: document, as: (Document(document) ?? .indicator).vocabulary, for: .floki)
    }

    /// The findings for a single entry.
    static func findings(inEntry entry: JSONValue, of key: FeedKey, feed: String, sections: Set<Int>?) -> [Finding] {
        var facts = FlokiFacts()
        facts.sections = sections
        return findings(in: .object([key.rawValue: [entry]]), as: Document(key), name: feed, facts: facts)
    }
}

/// Facts about the app around a document, for rules about the document's references. Rules skip unknown facts.
public struct FlokiFacts: Sendable, Equatable {
    /// The numbers of the texts that the app's master language has; nil if unknown.
    public var texts: Set<Int>?
    /// The sections of the feed, for a document that doesn't list them.
    var sections: Set<Int>?
    var readings = FlokiRuleReadings()

    /// The known facts.
    public init(texts: Set<Int>? = nil) { self.texts = texts }
}

/// This project's interpretations of points that the reference leaves open. You can turn each of them off.
public struct FlokiRuleReadings: Sendable, Equatable {
    /// Warns about language codes of three letters, which the reference allows but Android doesn't read.
    public var requiresTwoLetterCodes = true
    /// Requires each text of the master language in every language, because Android clients don't fall back on the master.
    public var requiresCompleteLanguages = true

    /// Creates readings with all interpretations turned on.
    public init() {}
}

typealias CheckedFloki = CheckedDocument<FlokiFacts>
