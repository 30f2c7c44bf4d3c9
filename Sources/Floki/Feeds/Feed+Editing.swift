import Backlot

/// Editing.
extension Feed {
    /// The maximum number of attempts at a change, while others change the same entry.
    private static var mostAttempts: Int { 5 }
    /// The maximum number of entries in one call.
    private static var mostEntries: Int { EntryQuery.maximumEntries }

    /// Reserves an id that no entry of the feed has or had, in any language.
    ///
    /// - Throws: ``FeedError`` if no id is left, and the errors of the store.
    public func allocateID() async throws -> Int {
        guard FeedPath.isName(name) else { throw FeedError(FeedPath.problem("feed", name)) }
        return try await store.allocateIDs(1, in: name).lowerBound
    }

    /// Replaces an entry, unless it has changed since it was read.
    ///
    /// - Parameters:
    ///   - language: the code of the language; nil for a feed that all languages share.
    ///   - revision: the ``FeedEntry/revision`` of the entry as you read it: the draft's revision if there is a draft, otherwise
    ///     the published entry's; 0 for a new entry.
    /// - Returns: the revision of the entry now.
    /// - Throws: ``EntryConflict`` for an entry that somebody else has changed; otherwise as ``save(_:language:)``.
    @discardableResult
    public func save(_ entry: Entry, language: String? = nil, replacing revision: Int) async throws -> Int {
        do {
            return try await replace(entry, try storedLanguage(language), revision)
        } catch let conflict as FeedConflict {
            throw try self.conflict(conflict, entry, language)
        }
    }

    /// Changes an entry: reads it, calls `change`, and replaces it. Tries again a few times if somebody else changes the entry at
    /// the same time.
    ///
    /// If the entry has a draft, the draft is changed.
    ///
    /// - Parameters:
    ///   - language: the code of the language; nil for a feed that all languages share.
    ///   - change: changes the entry. It may be called several times.
    /// - Returns: the changed entry, with its new revision.
    /// - Throws: ``FeedError`` for an unknown entry, what `change` throws, ``EntryConflict`` if others keep changing the entry;
    ///   otherwise as ``save(_:language:)``.
    @discardableResult
    public func update(
        _ id: Int,
        language: String? = nil,
        _ change: (inout Entry) throws -> Void
    ) async throws -> Entry {
        let stream = try storedLanguage(language)
        var attempts = 1
        while true {
            guard let old = try await stored(id, stream, [.drafts, Self.published]) else {
                let place = language.map { " in '\($0)'" } ?? ""
                throw FeedError("the feed '\(name)' has no entry \(id)\(place): save it first")
            }
            var entry = try Entry(stored: old, of: name)
            try change(&entry)
            do {
                entry.traits.revision = try await replace(entry, stream, old.revision)
                return entry
            } catch let conflict as FeedConflict {
                guard attempts < Self.mostAttempts else { throw try self.conflict(conflict, entry, language) }
                attempts += 1
            }
        }
    }

    /// Publishes drafts and scheduled entries. Entries that are already published don't change.
    ///
    /// - Parameter language: the code of the language; nil for all languages of the apps that show the feed.
    /// - Throws: ``FeedError`` for an unknown entry, and for one that clients would no longer accept; and the errors of the store.
    public func publish(_ ids: [Int], language: String? = nil) async throws {
        try checkCount(ids)
        let languages = try storedLanguages(language)
        var attempts = 1
        while true {
            var changes: [FeedChange] = []
            var findings: [Finding] = []
            var missing = Set(ids)
            for language in languages {
                let drafts = query(language, .drafts, ids: ids, limit: ids.count)
                for entry in try await store.entries(drafts) {
                    var published = entry
                    published.publication = .published
                    changes.append(.expect(id: entry.id, language: language, revision: entry.revision))
                    changes.append(.save(published, language: language))
                    missing.remove(entry.id)
                    findings += try self.findings(in: JSONTemplate(entry.wire))
                }
                if missing.isEmpty { continue }
                let others = query(language, Self.published, ids: missing.sorted(), limit: missing.count)
                for entry in try await store.entries(others) { missing.remove(entry.id) }
            }
            try checkPresent(missing)
            try FeedError.check(findings)
            guard !changes.isEmpty else { return }
            do {
                try await apply((changes, []))
                return
            } catch is FeedConflict where attempts < Self.mostAttempts {
                attempts += 1
            }
        }
    }

    /// Removes drafts and scheduled entries. Published entries with the same ids don't change.
    ///
    /// - Parameter language: the code of the language; nil for all languages of the apps that show the feed.
    public func discardDrafts(_ ids: [Int], language: String? = nil) async throws {
        try checkCount(ids)
        let changes = try storedLanguages(language).flatMap { language in
            ids.map { FeedChange.discardDraft(id: $0, language: language) }
        }
        try await apply((changes, []))
    }

    /// The entries that any server saves and removes in the feed from now on, in their order. While somebody waits for changes,
    /// scheduled entries are published, at most a second late.
    public func changes() -> AsyncFilterSequence<FeedEvents> { changes(checkingEvery: .seconds(1)) }

    /// - Parameter interval: the time between checks for due entries.
    func changes(checkingEvery interval: Duration) -> AsyncFilterSequence<FeedEvents> {
        let name = name
        return events(checkingEvery: interval).filter { $0.feed == name }
    }

    /// The changes of all feeds. This feed's scheduled entries are published while somebody waits for them.
    func events(checkingEvery interval: Duration = .seconds(1)) -> FeedEvents {
        let (store, name, served) = (store, name, served)
        return store.changes().running {
            let due = DueDrafts()
            while !Task.isCancelled {
                // The store is only called when an entry may be due.
                await due.publish(in: store, of: name, now: served.now)
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func replace(_ entry: Entry, _ language: String, _ revision: Int) async throws -> Int {
        let (stored, findings) = try judged(entry)
        try FeedError.check(findings)
        let expectation = FeedChange.expect(id: stored.id, language: language, revision: revision)
        return try await apply(([expectation, .save(stored, language: language)], findings))
    }

    private func conflict(_ conflict: FeedConflict, _ entry: Entry, _ language: String?) throws -> EntryConflict<Entry>
    {
        EntryConflict(
            yours: entry,
            theirs: try conflict.stored.map { try Entry(stored: $0, of: name) },
            language: language
        )
    }

    private func checkCount(_ ids: [Int]) throws(FeedError) {
        guard ids.count <= Self.mostEntries else {
            throw FeedError("\(ids.count) entries are too many at once: pass \(Self.mostEntries) at most")
        }
    }

    private func checkPresent(_ missing: Set<Int>) throws(FeedError) {
        guard !missing.isEmpty else { return }
        let some = missing.sorted().prefix(10).map { "\($0)" }.joined(separator: ", ")
        let rest = missing.count > 10 ? ", and \(missing.count - 10) more" : ""
        throw FeedError("the feed '\(name)' has no entry \(some)\(rest): save it first")
    }
}
