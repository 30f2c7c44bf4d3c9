// Applin: a list for each client, pages with a parameter, typed links, and a question before something is lost.
// Run it with `swift run --package-path Examples/Small applin-tasks`.
import Applin
import Backlot

/// The tasks of a client, by their numbers.
enum Tasks: SessionKey {
    static let name = "tasks"
    typealias Value = [Int: String]
}

struct NewTask: Decodable, Sendable { var title: String }

func makeRouter() -> Router {
    let router = Router()
    router.applin("/", dialect: .objects, sessions: MemorySessionStore()) { app in
        let check = FormValidator(NewTask.self) { input, errors, _ in
            if input.title.allSatisfy(\.isWhitespace) { errors[\.title] = "Say what there is to do." }
        }
        let add = app.rpc("/add", check: check) { input, request in
            try await request.session.update(Tasks.self) { tasks in
                let id = (tasks?.keys.max() ?? 0) + 1
                tasks = (tasks ?? [:]).merging([id: input.title]) { $1 }
            }
        }
        let remove = app.rpc("/tasks/{id}/remove", id: Int.self) { id, request in
            try await request.session.update(Tasks.self) { $0?[id] = nil }
        }
        let new = app.page("/new", check: check) { form, _ in
            formPage("New task") {
                form.textfield("Title", \.title).maxChars(100)
                // Variables outlive their page: the next form begins empty.
                formButton("Add", rpc(add), form.reset(\.title), pop(), poll())
            }
        }
        let task = app.page("/tasks/{id}", id: Int.self, samples: ["/tasks/1"]) { id, request in
            guard let title = try await request.session[Tasks.self]?[id] else {
                return formPage("Task \(id)") { text("This task is done.") }  // a page that the client still had
            }
            return formPage("Task \(id)") {
                text(title)
                formButton("Done") {
                    modal("Is it done?") {
                        modalButton("Yes", rpc(remove, id: id), pop(), poll()).destructive()
                        modalButton("Not yet") {}
                    }
                }
            }
        }
        app.page("/") { request in
            let all = try await request.session[Tasks.self] ?? [:]
            return listPage("Tasks", poll: .seconds(30)) {
                for (id, title) in all.sorted(by: { $0.key < $1.key }) { navButton(title, push(task, id: id)) }
                navButton("New task", push(new))
            }
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
