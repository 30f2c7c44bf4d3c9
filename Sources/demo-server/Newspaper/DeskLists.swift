import Applin
import Backlot
import Floki

/// The lists of the newsroom: published stories, and those that readers don't see yet.
struct DeskLists: Sendable {
    let newsroom: Newsroom

    /// The first page: the log-in, or what is published.
    func start(_ request: Request) async throws -> any Page {
        guard try await request.session.user == newsroom.access.user else {
            return DeskLogIn(access: newsroom.access).page
        }
        let (stories, next) = try await newsroom.stories.page(.published(includingEnded: false), after: nil)
        return navPage("Newsroom") {
            scroll {
                column {
                    navButton("New story") { push("/new") }
                    navButton("Breaking news") { push("/breaking") }
                    navButton("Drafts") { push("/drafts") }.subText("Stories that readers don't see yet")
                    formSection("Published") { rows(stories, next, "/published", none: "Readers see no story.") }
                    formSection("You are the \(DeskAccess.name)") {
                        navButton("Log out") {
                            rpc("/log_out")
                            logout()
                            replaceAll("/")
                        }
                    }
                }
            }
        }
        // The list is current again when the editor comes back from a story, and shows what others publish.
        .poll(every: .seconds(5))
    }

    /// Adds the other pages of the lists.
    func register(on app: ApplinApp) {
        app.page("/drafts") { _ in try await drafts(after: nil) }
        app.page("/drafts/{place}", samples: ["/drafts/1-1"]) { try await drafts(after: place(of: $0)) }
        app.page("/published/{place}", samples: ["/published/1-1"]) { request in
            let place = try place(of: request)
            let (stories, next) = try await newsroom.stories.page(.published(includingEnded: false), after: place)
            return list("Older Stories", stories, next, "/published", none: "There are no older stories.")
        }
    }

    private func drafts(after place: EntryQuery.Place?) async throws -> any Page {
        let (stories, next) = try await newsroom.stories.page(.drafts, after: place)
        return list("Drafts", stories, next, "/drafts", none: "There are no drafts.")
    }

    private func list(
        _ title: String,
        _ stories: [DeskRow],
        _ next: EntryQuery.Place?,
        _ path: String,
        none: String
    ) -> any Page {
        navPage(title) {
            scroll {
                column {
                    rows(stories, next, path, none: none)
                }
            }
        }
    }

    @WidgetListBuilder private func rows(
        _ stories: [DeskRow],
        _ next: EntryQuery.Place?,
        _ path: String,
        none: String
    ) -> [any Widget] {
        if stories.isEmpty { text(none) }
        for story in stories {
            navButton(story.title) { push("/stories/\(story.id)") }.subText(story.details)
        }
        if let next { navButton("More") { push("\(path)/\(next.sortID)-\(next.id)") } }
    }

    /// The place that a path names: `{place}`.
    private func place(of request: Request) throws -> EntryQuery.Place {
        let numbers = (request.parameters["place"] ?? "").split(separator: "-").map { Int($0) }
        guard numbers.count == 2, let sortID = numbers[0], let id = numbers[1] else {
            throw StatusError(.notFound, "This list is not here: go back, and open it anew.")
        }
        return EntryQuery.Place(sortID: sortID, id: id)
    }
}
