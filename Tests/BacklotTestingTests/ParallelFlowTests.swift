import Applin
import Backlot
import BacklotTesting
import Testing

/// Many clients of one server at once, none of which sees anything of another.
@Suite(.timeLimit(.minutes(5))) struct ParallelFlowTests {
    private struct LogIn: Decodable {
        var name: String
    }

    private enum CountKey: SessionKey {
        static let name = "count"
        typealias Value = Int
    }

    private func makeRouter() -> Router {
        let router = Router()
        router.applin("/", sessions: MemorySessionStore()) { app in
            app.page("/") { request in
                let session = try await request.session
                return navPage("Home") {
                    form {
                        textfield("Name", varName: "name")
                        text("\(session.user ?? "nobody") counted to \(session[CountKey.self] ?? 0)")
                        formButton("Log in") {
                            rpc("/log_in")
                            poll()
                        }
                        formButton("Count") { rpc("/count") }
                    }
                }
            }
            app.rpc("/log_in", LogIn.self) { try await $1.session.logIn(user: $0.name) }
            app.rpc("/count") { try await $0.session.update(CountKey.self) { $0 = ($0 ?? 0) + 1 } }
        }
        return router
    }

    @Test(arguments: [(ClientReach.inProcess, 200), (.socket, 20)])
    func `Flows of 20 steps run at once and share nothing`(reach: ClientReach, count: Int) async throws {
        let router = makeRouter()
        try await withApplinClient(router, over: reach) { first in
            let url = "\(first.baseURL)"
            let handler = router.handler()
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<count {
                    // Other tests of the process go first.
                    group.addTask(priority: .background) {
                        let app = try reach == .inProcess ? ApplinClient(handler) : ApplinClient(url: url)
                        try await app.launch()
                        try await app.enter("user\(number)", into: "Name")
                        try await app.tap("Log in")
                        for round in 0..<8 {
                            try await app.enter("round \(round)", into: "Name")
                            try await app.tap("Count")
                        }
                        try await app.relaunch()
                        return app.texts[1]
                    }
                }
                var texts: Set<String> = []
                for try await text in group { texts.insert(text) }
                #expect(texts == Set((0..<count).map { "user\($0) counted to 8" }))
            }
        }
    }
}
