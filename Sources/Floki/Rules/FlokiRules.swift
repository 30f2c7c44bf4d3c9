public import Backlot
public import BacklotJSON

/// Judges what Floki clients are sent by what goes over the wire, whoever made it.
///
/// Source: Floki server protocols, what the public clients for iOS 3.0 and Android 1.1 do, and this project's ``RuleReadings``.
public enum FlokiRules {
    /// What a document is.
    public enum Document: Sendable, CaseIterable {
        /// `{"v":…,"url":…,"ttl":…}`
        case indicator
        /// `{"tabs":…,"langs":…}`
        case appData
        /// `{"items":…}`
        case news
        /// `{"thumbs":…}`
        case gallery

        /// What a document looks like; nil for one that is none of these.
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
    }

    /// What is wrong with a document; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: the body of an answer.
    ///   - kind: what it is meant to be; nil for what it looks like.
    ///   - name: what it is called in findings, such as its path.
    ///   - facts: what is known of the app around it.
    ///   - readings: how the reference's gaps are read.
    public static func findings(
        in document: JSONValue,
        as kind: Document? = nil,
        name: String,
        facts: FeedFacts = FeedFacts(),
        readings: RuleReadings = RuleReadings()
    ) -> [Finding] {
        guard let object = document.object, let kind = kind ?? Document(document) else {
            let message = "The body is neither a version indicator nor app data nor a feed."
            let fix = "Answer {\"v\":…}, {\"tabs\":…}, {\"items\":…} or {\"thumbs\":…}."
            return [
                Finding(.error, rule: "unknown-document", path: FindingPath(page: name), message: message, fix: fix)
            ]
        }
        var remarks = Remarks(page: name, readings: readings)
        let scope = WireScope(object)
        switch kind {
        case .indicator: IndicatorRules.check(scope, &remarks)
        case .appData: AppDataRules.check(scope, &remarks)
        case .news: FeedRules.check(scope, .items, facts, &remarks)
        case .gallery: FeedRules.check(scope, .thumbs, facts, &remarks)
        }
        return remarks.findings
    }

    /// What is wrong with an entry by itself.
    static func findings<Entry: FeedEntry>(
        inEntry document: JSONValue,
        of type: Entry.Type,
        feed: String,
        sections: [Int]
    ) -> [Finding] {
        guard let object = document.object else { return [] }
        var remarks = Remarks(page: feed, readings: RuleReadings())
        let scope = WireScope(["\(type.key)": [.object(object)]])
        var facts = FeedFacts()
        facts.sections = sections.isEmpty ? nil : sections
        FeedRules.check(scope, "\(type.key)" == "thumbs" ? .thumbs : .items, facts, &remarks)
        return remarks.findings.filter { $0.severity == .error }
    }
}
