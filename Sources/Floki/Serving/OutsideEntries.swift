import Backlot

/// Finds stored entries and drafts that clients don't show because their feed doesn't have their sections.
struct OutsideEntries {
    /// The maximum number of entries of a language to look at.
    private static let mostEntries = 10_000
    private static let pageSize = 1_000
    /// The maximum number of ids in a finding.
    private static let mostExamples = 5

    let feed: MountedFeed
    /// The codes of the app's languages.
    let codes: [String]
    /// The feed's path, for findings.
    let page: String
    let now: Int

    /// The findings, one for each language with such entries.
    ///
    /// - Parameter former: the feed's earlier sections, to look at entries in removed sections; nil to look at the newest entries.
    func findings(former: Set<Int>?) async throws -> [Finding] {
        guard !feed.sectionIDs.isEmpty else { return [] }
        var findings: [Finding] = []
        for language in feed.isShared ? [FeedStream.shared] : codes {
            var outside: Set<Int> = []
            if let former, !former.isEmpty {
                for section in former.subtracting(feed.sectionIDs).sorted() {
                    outside.formUnion(try await ids(language, ["section:\(section)"]))
                }
            } else {
                outside = try await ids(language, [])
            }
            if !outside.isEmpty { findings.append(finding(outside.sorted(by: >), language)) }
        }
        return findings
    }

    /// The finding for a store that can't be read.
    func unknown(_ error: any Error) -> Finding {
        Finding(
            .warning,
            rule: "stored-outside-sections",
            path: FindingPath(page: page),
            message: "The store can't be searched for entries outside of the feed's sections: "
                + "\(error).",
            fix: "Declare the app again when the store responds."
        )
    }

    private func ids(_ language: String, _ tags: [String]) async throws -> Set<Int> {
        try await ids(language, tags, .published(includingEnded: false)).union(await ids(language, tags, .drafts))
    }

    private func ids(
        _ language: String,
        _ tags: [String],
        _ selection: EntryQuery.Selection
    ) async throws -> Set<Int> {
        let sections = Set(feed.sectionIDs.map { "section:\($0)" })
        var found: Set<Int> = []
        var query = EntryQuery(
            stream: FeedStream(feed: feed.name, language: language),
            selection: selection,
            tags: tags,
            limit: Self.pageSize,
            now: now
        )
        for _ in 0..<(Self.mostEntries / Self.pageSize) {
            let page = try await feed.store.entries(query)
            found.formUnion(page.lazy.filter { sections.isDisjoint(with: $0.tags) }.map(\.id))
            guard page.count == query.limit, let last = page.last else { break }
            query.after = last.place
        }
        return found
    }

    private func finding(_ ids: [Int], _ language: String) -> Finding {
        let place = language.isEmpty ? "" : " in '\(language)'"
        let examples = ids.prefix(Self.mostExamples).map { "\($0)" }.joined(separator: ", ")
        let count = ids.count == 1 ? "1 stored entry" : "\(ids.count) stored entries"
        let isAre = ids.count == 1 ? "is" : "are"
        let sections = feed.sectionIDs.sorted().prefix(Self.mostExamples).map { "\($0)" }.joined(separator: ", ")
        return Finding(
            .warning,
            rule: "stored-outside-sections",
            path: FindingPath(page: page),
            message: "\(count)\(place) \(isAre) in none of the feed's sections, so clients don't show "
                + "\(ids.count == 1 ? "it" : "them"): \(examples)\(ids.count > Self.mostExamples ? " and more" : "").",
            fix: "Save \(ids.count == 1 ? "it" : "them") with one of the sections \(sections), or remove "
                + "\(ids.count == 1 ? "it" : "them")."
        )
    }
}
