import Applin
import Backlot
import Floki

/// Pages to write a story on: any story, or breaking news.
struct NewStoryPages: Sendable {
    let newsroom: Newsroom

    /// Adds the pages, and what they call.
    func register(on app: ApplinApp) {
        for kind in Kind.allCases {
            app.page(kind.path) { try await page($0, kind) }
            for step in kind.steps {
                app.rpc("\(kind.path)/\(step.rawValue)/{token}") { request in
                    let token = request.parameters["token"] ?? ""
                    guard StoryForm.isToken(token) else { throw StatusError(.notFound, "There is no such story.") }
                    var edit = kind.form(token)
                    try edit.read(try await request.variables())
                    try await StorySaving(newsroom: newsroom).save(edit, step, token: token)
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
                ? StoryForm(new: token) : StoryForm(new: token, tags: GazetteApp.breakingTag, hasTime: false)
        }
        /// Breaking news doesn't wait.
        var steps: [StoryStep] { self == .story ? StoryStep.allCases : [.publish] }
        func button(_ step: StoryStep) -> String { self == .story ? step.title : "Publish, and call the phones" }
    }

    /// Each new story has variables of its own: a page shows nothing that was typed for another one.
    private func page(_ request: Request, _ kind: Kind) async throws -> any Page {
        let variables = try await request.variables()
        let sent = StoryForm.newStart(in: variables)
        let token = sent ?? StoryForm.newToken
        var edit = kind.form(token)
        var mistakes: [String: String] = [:]
        if sent != nil {
            try edit.read(variables)
            mistakes = edit.mistakes(waiting: false, now: newsroom.now)
        }
        return navPage(kind.title) {
            scroll {
                form {
                    StoryInputs(form: edit, mistakes: mistakes, hasTime: kind == .story).widgets
                    for step in kind.steps {
                        formButton(kind.button(step)) {
                            rpc("\(kind.path)/\(step.rawValue)/\(token)", onUserErrorPoll: true)
                            replaceAll("/")
                        }
                    }
                }
            }
        }
    }
}
