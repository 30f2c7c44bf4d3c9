import Backlot
import Floki

/// The actions that an editor can choose for the text of a story.
enum StoryStep: String, CaseIterable, Sendable {
    case publish, draft, schedule

    /// The text of the button.
    var title: String {
        switch self {
        case .publish: "Publish"
        case .draft: "Save as a draft"
        case .schedule: "Schedule"
        }
    }
}

/// Saves an editor's texts, in all languages at once.
struct StorySaving: Sendable {
    let editors: EditorsApp

    private var news: NewsFeed { editors.app.news }

    /// The feed that stores the id of each new story under the token of its page. The name begins with a dot, which names of an
    /// app's feeds can't.
    private static let claims = ".desk"
    /// The lifetime in seconds of an id that is reserved for a page.
    private static let claimLifetime = 7 * 24 * 60 * 60

    /// Saves a new story once. An editor who didn't get the response may send the same request again.
    ///
    /// - Parameter token: the token of the story's page.
    /// - Throws: the errors of ``save(_:_:of:replacing:)``.
    func save(_ form: StoryForm, _ step: StoryStep, token: String) async throws {
        try check(form, step)
        let id = try await id(token)
        let changes = try form.languages.flatMap { language in
            try [.expect(id: id, language: language, revision: 0)]
                + self.changes(form.item(language, id: id, nil), language, step, form)
        }
        do {
            try await news.store.apply(changes, to: news.name)
        } catch is FeedConflict {
            guard try await isSaved(changes) else {
                throw UserError(
                    "This story was saved already, as story \(id), and differs from yours by now: open it from the list."
                )
            }
        }
    }

    /// The id of the new story of a page. Each request with the page's token gets the same id.
    private func id(_ token: String) async throws -> Int {
        guard let number = StoryForm.number(ofToken: token) else { throw Self.conflict }
        let id: Int
        do {
            id = try await news.allocateID()
        } catch let error as FeedError {
            throw UserError("\(error)")
        }
        let end = editors.now + Self.claimLifetime
        let claim = StoredEntry(id: number, sortID: id, expirationDate: end, wire: Array("{}".utf8))
        do {
            let language = FeedStream.shared
            try await news.store.apply(
                [.expect(id: number, language: language, revision: 0), .save(claim, language: language)],
                to: Self.claims
            )
        } catch let conflict as FeedConflict {
            return conflict.stored?.sortID ?? id
        }
        return id
    }

    /// Whether the store already has the entries that the changes would save.
    private func isSaved(_ changes: [FeedChange]) async throws -> Bool {
        for change in changes {
            guard case .save(let entry, let language) = change else { continue }
            let query = EntryQuery(
                stream: FeedStream(feed: news.name, language: language),
                selection: entry.publication == .published ? .published(includingEnded: true) : .drafts,
                ids: [entry.id],
                limit: 1,
                now: editors.now
            )
            guard let stored = try await news.store.entries(query).first else { return false }
            guard (entry.wire, entry.page) == (stored.wire, stored.page), entry.publication == stored.publication else {
                return false
            }
        }
        return true
    }

    /// Saves an existing story.
    ///
    /// - Parameter revisions: the revisions to replace. If the story has other revisions, it doesn't change.
    /// - Throws: `FormErrors` with 422 for wrong inputs; `UserError` if somebody else has changed the story, and for entries that
    ///   clients would not accept.
    func save(
        _ form: StoryForm,
        _ step: StoryStep,
        of story: EditorStory,
        replacing revisions: StoryRevisions
    ) async throws {
        try check(form, step)
        var changes = revisions.expectations(of: story.id)
        for language in NewspaperApp.languages {
            let earlier = story.version(language)
            if form.languages.contains(language) {
                // A new language of a story gets the properties of the others, except their texts.
                let item = form.item(language, id: story.id, earlier ?? story.first)
                changes += try self.changes(item, language, step, form)
            } else if step == .publish, earlier != nil {
                changes.append(.remove(id: story.id, language: language))
            } else if story.drafts[language] != nil {
                changes.append(.discardDraft(id: story.id, language: language))
            }
        }
        try await apply(changes)
    }

    private func check(_ form: StoryForm, _ step: StoryStep) throws {
        let mistakes = form.mistakes(waiting: step == .schedule, now: editors.now)
        guard mistakes.isEmpty else { throw mistakes }
    }

    private func changes(
        _ item: Item,
        _ language: String,
        _ step: StoryStep,
        _ form: StoryForm
    ) throws -> [FeedChange] {
        var item = item
        switch step {
        case .publish: item.publication = .published
        case .draft: item.publication = .draft
        case .schedule: item.publication = .scheduled(at: EditorTime.time(form.trimmed("publish")) ?? editors.now)
        }
        do throws(FeedError) {
            return try news.changes(saving: [item], languages: [language])
        } catch {
            throw UserError("\(error)")
        }
    }

    private func apply(_ changes: [FeedChange]) async throws {
        do {
            try await news.store.apply(changes, to: news.name)
        } catch is FeedConflict {
            throw Self.conflict
        }
    }

    /// The error for an editor whose story somebody else has changed in the meantime.
    private static let conflict = UserError(
        """
        Somebody else has changed this story meanwhile, so that yours was not saved. Go back: both versions are there, and you \
        can choose.
        """
    )
}
