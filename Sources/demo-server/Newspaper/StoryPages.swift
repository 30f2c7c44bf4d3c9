import Applin
import Backlot
import Floki

/// The pages of stories: to write a new one, to read and change one, and to confirm its removal.
extension EditorsApp {
    /// Adds the pages of existing stories, and their rpcs.
    func registerStories(on app: ApplinApp) {
        app.page("/stories/{id}", samples: ["/stories/1"]) { try await page($0) }
        app.page("/stories/{id}/remove/{revisions}", samples: ["/stories/1/remove/1-1"]) { request in
            removal(of: try await story(request), try revisions(request))
        }
        for step in StoryStep.allCases {
            let path = "/stories/{id}/\(step.rawValue)/{revisions}"
            for path in [path, "\(path)/over/{others}"] { app.rpc(path) { try await save($0, step) } }
        }
        app.rpc("/stories/{id}/discard/{revisions}") { request in
            try await change(request) { story in
                story.drafts.keys.sorted().map { .discardDraft(id: story.id, language: $0) }
            }
        }
        app.rpc("/stories/{id}/remove/{revisions}/all") { request in
            try await change(request) { [.remove(id: $0.id, language: nil)] }
        }
    }

    // MARK: Pages

    private func page(_ request: Request) async throws -> any Page {
        let variables = try await request.variables()
        let start = StoryForm.start(in: variables, of: try id(request))
        // An editor who still has the inputs may save a story after somebody else has removed it.
        let story = try await story(request, mayBeGone: start != nil)
        let revisions = start?.revisions ?? story.revisions
        var edit = StoryForm(story, revisions, token: start?.token ?? StoryForm.newToken)
        var mistakes = FormErrors()
        if start != nil {
            try edit.read(variables)
            mistakes = edit.mistakes(waiting: false, now: now)
        }
        return formPage("Story \(story.id)") {
            for line in story.state { text(line) }
            if revisions != story.revisions { conflict(story, revisions) }
            edit.widgets(mistakes)
            if revisions == story.revisions { buttons(story) }
            navButton("All stories", replaceAll("/"))
        }
    }

    @WidgetListBuilder private func buttons(_ story: EditorStory) -> [any Widget] {
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
        formButton("Remove…", push("/stories/\(story.id)/remove/\(story.revisions)"))
    }

    /// If somebody else has saved a version in the meantime: both versions, and the choice between them.
    @WidgetListBuilder private func conflict(_ story: EditorStory, _ began: StoryRevisions) -> [any Widget] {
        errorText("Somebody else has changed this story meanwhile. It is now:")
        for language in NewspaperApp.languages where began[language] != story.revisions[language] {
            if let other = story.version(language) {
                text("\(NewspaperApp.name(ofLanguage: language)): \(other.title)")
                text(other.body)
                text(Self.details(of: other))
            } else {
                text("\(NewspaperApp.name(ofLanguage: language)): removed.")
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
        formButton("Leave it as it is there", replaceAll("/"))
    }

    /// The properties of a version, besides its texts and its state.
    private static func details(of item: Item) -> String {
        let sections = item.sectionIDs.map { id in NewspaperApp.sections.first { $0.id == id }?.name ?? "\(id)" }
        let end = item.expirationDate.map { EditorTime.text(Int($0.timeIntervalSince1970)) }
        let tags = item.tags.isEmpty ? "none" : item.tags.joined(separator: ", ")
        return "Section: \(sections.joined(separator: ", ")). Tags: \(tags). Ends: \(end ?? "never")."
    }

    /// - Parameter revisions: the revisions that the editor has read.
    private func removal(of story: EditorStory, _ revisions: StoryRevisions) -> any Page {
        formPage("Remove Story") {
            text("Remove this story in all languages? Readers' apps drop it.")
            text(story.first?.title ?? "")
            formButton("Remove", rpc("/stories/\(story.id)/remove/\(revisions)/all"), replaceAll("/"))
            formButton("Keep", pop())
        }
    }

    // MARK: Their rpcs

    /// The story that a path names: `{id}`.
    ///
    /// - Parameter mayBeGone: whether to return a story without texts for an unknown id.
    /// - Throws: `StatusError` with 404 for an unknown story.
    private func story(_ request: Request, mayBeGone: Bool = false) async throws -> EditorStory {
        let id = try id(request)
        if let story = try await stories.story(id) { return story }
        guard mayBeGone else { throw Self.notFound }
        return EditorStory(id: id)
    }

    /// Changes the story that a path names, if it still has the revisions in the path.
    private func change(_ request: Request, _ changes: (EditorStory) -> [FeedChange]) async throws {
        let (story, revisions) = (try await story(request), try revisions(request))
        do {
            try await app.news.store.apply(revisions.expectations(of: story.id) + changes(story), to: app.news.name)
        } catch is FeedConflict {
            throw UserError(
                "Somebody else has changed this story meanwhile, so that nothing was done. Go back, and read what it says now."
            )
        }
    }

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
        try await StorySaving(editors: self).save(edit, step, of: story, replacing: others)
    }

    // MARK: New stories

    /// Adds the pages to write any story or breaking news on, and their rpcs.
    func registerNewStories(on app: ApplinApp) {
        for kind in Kind.allCases {
            app.page(kind.path) { try await newStory($0, kind) }
            for step in kind.steps {
                app.rpc("\(kind.path)/\(step.rawValue)/{token}") { request in
                    let token = request.parameters["token"] ?? ""
                    guard StoryForm.isToken(token) else { throw StatusError(.notFound, "There is no such story.") }
                    var edit = kind.form(token)
                    try edit.read(try await request.variables())
                    try await StorySaving(editors: self).save(edit, step, token: token)
                }
            }
        }
    }

    private enum Kind: CaseIterable {
        case story, breaking

        var path: String { self == .story ? "/new" : "/breaking" }
        var title: String { self == .story ? "New Story" : "Breaking News" }
        func form(_ token: String) -> StoryForm {
            self == .story
                ? StoryForm(new: token) : StoryForm(new: token, tags: NewspaperApp.breakingTag, hasTime: false)
        }
        /// Breaking news can't be scheduled.
        var steps: [StoryStep] { self == .story ? StoryStep.allCases : [.publish] }
        func button(_ step: StoryStep) -> String { self == .story ? step.title : "Publish, and call the phones" }
    }

    /// Each new story has new variables, so that a page never shows the text of another story.
    private func newStory(_ request: Request, _ kind: Kind) async throws -> any Page {
        let variables = try await request.variables()
        let sent = StoryForm.newStart(in: variables)
        let token = sent ?? StoryForm.newToken
        var edit = kind.form(token)
        var mistakes = FormErrors()
        if sent != nil {
            try edit.read(variables)
            mistakes = edit.mistakes(waiting: false, now: now)
        }
        return formPage(kind.title) {
            edit.widgets(mistakes)
            for step in kind.steps {
                formButton(kind.button(step)) {
                    rpc("\(kind.path)/\(step.rawValue)/\(token)", onUserErrorPoll: true)
                    replaceAll("/")
                }
            }
        }
    }
}
