/// An Xpedite app: a table of tasks, and a form that adds one.
extension AppTemplate {
    var xpediteProgram: String {
        #"""
        import Backlot
        import BacklotSQLite
        import BacklotService
        import Xpedite

        /// The tasks, in memory.
        actor TaskStore {
            private(set) var titles = ["Buy bread", "Water the plants"]

            func add(_ title: String) { titles.append(title) }
        }

        @main
        struct \#(name.type): ServerApp {
            static let sessionStores: [SessionStoreKind] = [.memory, .sqlite]

            struct NewTask: Decodable {
                var title: String
            }

            func routes(_ router: Router, _ service: ServiceContext) async throws {
                let store = TaskStore()
                router.xpedite("/xpedite", version: 1, sessions: service.sessions) { app in
                    app.connect { _ in Self.list }
                    app.method("tasks") { _ in Self.list }
                    app.table("listTasks", batch: 25) { offset, limit, _ in
                        await store.titles.dropFirst(offset).prefix(limit).map { ["title": .string($0)] }
                    }
                    app.method("newTask") { _ in
                        page("New task") {
                            form("task") { textbox("title").title("Title") }
                                .save("addTask", "Add")
                                .cancel("tasks", "Cancel")
                        }
                    }
                    app.method("addTask", NewTask.self, form: "task") { input, _ in
                        input.title.isEmpty ? ["title": "must not be empty"] : [:]
                    } handler: { input, _ in
                        await store.add(input.title)
                        return Self.list
                    }
                }
            }

            private static var list: Page {
                page("\#(name.type)") {
                    table("listTasks") { cell("title") }.refresh("Pull to refresh")
                    button("New task").method("newTask")
                }
            }
        }

        """#
    }

    var xpediteTest: String {
        #"""
        import Backlot
        import BacklotTesting
        import Testing

        @testable import \#(name.module)

        struct \#(name.type)Tests {
            @Test(arguments: ClientReach.allCases)  // in process, and over a socket
            func `A task is added`(reach: ClientReach) async throws {
                try await withXpediteClient(try await \#(name.type).router(), over: reach) { app in
                    try await app.connect()
                    #expect(app.title == "\#(name.type)")
                    #expect(app.rows.rows.count == 2)
                    try await app.tap("New task")
                    try await app.tap("Add")
                    #expect(app.fields().contains { $0["title"] == "Title: must not be empty" })
                    try app.enter("Call the dentist", into: "title")
                    try await app.tap("Add")
                    #expect(app.rows.rows.count == 3)
                }
            }
        }

        """#
    }
}
