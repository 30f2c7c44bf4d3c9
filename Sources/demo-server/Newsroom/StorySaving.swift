import Backlot
import Floki

/// What an editor can do with the text of a story.
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

/// Saves what editors have written, in all languages at once.
struct StorySaving: Sendable {
    let newsroom: Newsroom

    private var news: NewsFeed { newsroom.app.news }

    /// Saves a new story.
    ///
    /// - Throws: as the other one.
    func save(_ form: StoryForm, _ step: StoryStep) async throws {
        try check(form, step)
        let id = try await news.allocateID()
        let changes = try form.languages.flatMap { language in
            try self.changes(form.item(language, id: id, nil), language, step, form, revision: 0)
        }
        try await apply(changes)
    }

    /// Saves a story that is there.
    ///
    /// - Parameter revisions: those that it replaces. A story that has others by now stays as it is.
    /// - Throws: `FormErrors` with 422 for wrong inputs; `UserError` where somebody else has changed the story, and for what clients
    ///   would not accept.
    func save(
        _ form: StoryForm,
        _ step: StoryStep,
        of story: DeskStory,
        replacing revisions: StoryRevisions
    ) async throws {
        try check(form, step)
        guard revisions == story.revisions else { throw Self.conflict }
        var changes: [FeedChange] = []
        for language in GazetteApp.languages {
            let earlier = story.version(language)
            if form.languages.contains(language) {
                // A language that is new to a story gets what the others have beside their texts.
                let item = form.item(language, id: story.id, earlier ?? story.first)
                changes += try self.changes(item, language, step, form, revision: revisions[language])
            } else if step == .publish, earlier != nil {
                changes.append(.remove(id: story.id, language: language))
            } else if story.drafts[language] != nil {
                changes.append(.discardDraft(id: story.id, language: language))
            }
        }
        try await apply(changes)
    }

    private func check(_ form: StoryForm, _ step: StoryStep) throws {
        let mistakes = form.mistakes(waiting: step == .schedule, now: newsroom.now)
        guard mistakes.isEmpty else {
            throw FormErrors(Dictionary(uniqueKeysWithValues: mistakes.map { (form.prefix + $0.key, $0.value) }))
        }
    }

    private func changes(
        _ item: Item,
        _ language: String,
        _ step: StoryStep,
        _ form: StoryForm,
        revision: Int
    ) throws -> [FeedChange] {
        var item = item
        switch step {
        case .publish: item.publication = .published
        case .draft: item.publication = .draft
        case .schedule: item.publication = .scheduled(at: DeskTime.time(form.trimmed("publish")) ?? newsroom.now)
        }
        do throws(FeedError) {
            return try news.changes(saving: [item], language: language).map { change in
                guard case .save(let entry, let language) = change else { return change }
                return .replace(entry, language: language, revision: revision)
            }
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

    /// Told to the editor who comes second.
    private static let conflict = UserError(
        """
        Somebody else has changed this story meanwhile, so that yours was not saved. Go back: both versions are there, and you \
        can choose.
        """
    )
}
