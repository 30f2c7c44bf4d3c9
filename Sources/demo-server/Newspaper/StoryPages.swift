import Applin
import Backlot
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A story to read and change, and the question whether to remove it.
struct StoryPages: Sendable {
    let newsroom: Newsroom

    /// Adds the pages, and what they call.
    func register(on app: ApplinApp) {
        app.page("/stories/{id}", samples: ["/stories/1"]) { try await page($0) }
        app.page("/stories/{id}/remove/{revisions}", samples: ["/stories/1/remove/1-1"]) { request in
            removal(of: try await story(request), try revisions(request))
        }
        for step in StoryStep.allCases {
            let path = "/stories/{id}/\(step.rawValue)/{revisions}"
            for path in [path, "\(path)/over/{others}"] { app.rpc(path) { try await save($0, step) } }
        }
        app.rpc("/stories/{id}/discard/{revisions}") { request in
            let story = try await unchangedStory(request)
            try await newsroom.app.news.store.apply(
                story.drafts.keys.sorted().map { .discardDraft(id: story.id, language: $0) },
                to: newsroom.app.news.name
            )
        }
        app.rpc("/stories/{id}/remove/{revisions}/all") { request in
            try await newsroom.app.news.remove([try await unchangedStory(request).id])
        }
    }

    // MARK: Pages

    private func page(_ request: Request) async throws -> any Page {
        let variables = try await request.variables()
        let start = StoryForm.start(in: variables, of: try id(request))
        // An editor who still has the inputs may save a story that somebody else has removed.
        let story = try await story(request, mayBeGone: start != nil)
        let revisions = start?.revisions ?? story.revisions
        var edit = StoryForm(story, revisions, token: start?.token ?? StoryForm.newToken)
        var mistakes: [String: String] = [:]
        if start != nil {
            try edit.read(variables)
            mistakes = edit.mistakes(waiting: false, now: newsroom.now)
        }
        return navPage("Story \(story.id)") {
            scroll {
                form {
                    for line in story.state { text(line) }
                    if revisions != story.revisions { conflict(story, revisions) }
                    StoryInputs(form: edit, mistakes: mistakes).widgets
                    if revisions == story.revisions { buttons(story) }
                    navButton("All stories") { replaceAll("/") }
                }
            }
        }
    }

    @WidgetListBuilder private func buttons(_ story: DeskStory) -> [any Widget] {
        for step in StoryStep.allCases {
            formButton(step.title) {
                rpc("/stories/\(story.id)/\(step.rawValue)/\(story.revisions)", onUserErrorPoll: true)
                replaceAll("/")
            }
        }
        if !story.drafts.isEmpty, !story.published.isEmpty {
            formButton("Discard the draft") {
                rpc("/stories/\(story.id)/discard/\(story.revisions)", onUserErrorPoll: true)
                replaceAll("/")
            }
        }
        formButton("Remove…") { push("/stories/\(story.id)/remove/\(story.revisions)") }
    }

    /// Both versions, where somebody has saved another one meanwhile, and the choice between them.
    @WidgetListBuilder private func conflict(_ story: DeskStory, _ began: StoryRevisions) -> [any Widget] {
        errorText("Somebody else has changed this story meanwhile. It is now:")
        for language in GazetteApp.languages where began[language] != story.revisions[language] {
            if let other = story.version(language) {
                text("\(GazetteApp.name(ofLanguage: language)): \(other.title)")
                text(other.body)
                text(Self.details(of: other))
            } else {
                text("\(GazetteApp.name(ofLanguage: language)): removed.")
            }
        }
        text("Your version is in the fields below.")
        for step in StoryStep.allCases {
            formButton("\(step.title), with my version") {
                rpc(
                    "/stories/\(story.id)/\(step.rawValue)/\(began)/over/\(story.revisions)",
                    onUserErrorPoll: true
                )
                replaceAll("/")
            }
        }
        formButton("Leave it as it is there") { replaceAll("/") }
    }

    /// What a version has beside its texts and its state.
    private static func details(of item: Item) -> String {
        let sections = item.sectionIDs.map { id in GazetteApp.sections.first { $0.id == id }?.name ?? "\(id)" }
        let end = item.expirationDate.map { DeskTime.text(Int($0.timeIntervalSince1970)) }
        let tags = item.tags.isEmpty ? "none" : item.tags.joined(separator: ", ")
        return "Section: \(sections.joined(separator: ", ")). Tags: \(tags). Ends: \(end ?? "never")."
    }

    /// - Parameter revisions: those that the editor has read.
    private func removal(of story: DeskStory, _ revisions: StoryRevisions) -> any Page {
        navPage("Remove Story") {
            scroll {
                form {
                    text("Remove this story in all languages? Readers' apps drop it.")
                    text(story.first?.title ?? "")
                    formButton("Remove") {
                        rpc("/stories/\(story.id)/remove/\(revisions)/all")
                        replaceAll("/")
                    }
                    formButton("Keep") { pop() }
                }
            }
        }
    }

    // MARK: What they call

    /// The story that a path names: `{id}`.
    ///
    /// - Parameter mayBeGone: whether a story that isn't there is one without texts.
    /// - Throws: `StatusError` with 404 for an unknown one.
    private func story(_ request: Request, mayBeGone: Bool = false) async throws -> DeskStory {
        let id = try id(request)
        if let story = try await newsroom.stories.story(id) { return story }
        guard mayBeGone else { throw Self.notFound }
        return DeskStory(id: id)
    }

    /// The story that a path names, if it still has the revisions that the path names.
    private func unchangedStory(_ request: Request) async throws -> DeskStory {
        let (story, revisions) = (try await story(request), try revisions(request))
        guard story.revisions == revisions else { throw Self.isChanged }
        return story
    }

    private static let isChanged = UserError(
        "Somebody else has changed this story meanwhile, so that nothing was done. Go back, and read what it says now."
    )

    /// The revisions that a path names: `{revisions}`.
    private func revisions(_ request: Request) throws -> StoryRevisions {
        guard let revisions = request.parameters["revisions"].flatMap({ StoryRevisions($0) }) else {
            throw StatusError(.notFound, "There is no such version of a story.")
        }
        return revisions
    }

    private func id(_ request: Request) throws -> Int {
        guard let id = request.parameters["id"].flatMap({ Int($0) }), (1...Int(Int32.max)).contains(id) else {
            throw Self.notFound
        }
        return id
    }

    private static let notFound = StatusError(.notFound, "This story is not here: it may have been removed.")

    private func save(_ request: Request, _ step: StoryStep) async throws {
        let variables = try await request.variables()
        let revisions = try revisions(request)
        guard let others = request.parameters["others"].map({ StoryRevisions($0) }) ?? revisions else {
            throw StatusError(.notFound, "There is no such version of a story.")
        }
        guard let start = StoryForm.start(in: variables, of: try id(request)), start.revisions == revisions else {
            throw StatusError(.badRequest, "the inputs of this version of the story are missing")
        }
        let story = try await story(request, mayBeGone: true)
        var edit = StoryForm(story, revisions, token: start.token)
        try edit.read(variables)
        try await StorySaving(newsroom: newsroom).save(edit, step, of: story, replacing: others)
    }
}
