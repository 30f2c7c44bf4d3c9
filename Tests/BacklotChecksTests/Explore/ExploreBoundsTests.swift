import Applin
import Backlot
import BacklotChecks
import BacklotClients
import ClientTestSupport
import Testing

/// Requests that explorations never send, and backends that go away.
@Suite(.timeLimit(.minutes(5))) struct ExploreBoundsTests {
    private static func options(_ steps: Int, seed: UInt64 = 1) -> ExploreOptions {
        var options = ExploreOptions(seed: seed)
        options.maximumSteps = steps
        options.maximumTime = .seconds(60)
        return options
    }

    /// An app with a button to each path.
    private static func app(_ paths: [String], _ register: (ApplinApp) -> Void = { _ in }) -> Router {
        let router = Router()
        router.applin("/", dialect: .objects) { app in
            app.page("/") { _ in
                navPage("Home") {
                    scroll { form { for path in paths { formButton("Go \(path)") { push(path) } } } }
                }
            }
            register(app)
        }
        return router
    }

    /// Notes the hosts of requests, and refuses connections after some requests.
    private struct Watched: ClientTransport {
        let inner: any ClientTransport
        var life = Int.max
        let hosts = Locked(Set<String>())
        let count = LockedCount()

        func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
            hosts.withLock { _ = $0.insert(request.url.authority) }
            guard count.next() <= life else { throw .notConnected("Connection refused") }
            return try await inner.response(to: request, limits: limits)
        }
    }

    @Test(arguments: [301, 302, 307, 308])
    func `Another server is never asked`(status: Int) async throws {
        let router = Self.app(["/away", "/port"])
        router.get("/away") { _ in
            Response(status: .init(code: status), headers: [.location: "http://elsewhere.invalid/x"])
        }
        router.get("/port") { _ in Response(status: .init(code: status), headers: [.location: "http://127.0.0.1:81/"]) }
        let transport = Watched(inner: try InProcessTransport(router.handler()))
        let root = InProcessTransport.root
        let report = try await Explore("\(root)", transport: transport, options: Self.options(100)).report()
        #expect(transport.hosts.withLock { $0 } == [try HTTPURL("\(root)").authority])
        #expect(report.elsewhere == ["http://127.0.0.1:81", "http://elsewhere.invalid"])
        #expect("\(report)".contains("http://elsewhere.invalid"))
        #expect(report.json["elsewhere"]?[1] == "http://elsewhere.invalid")
        #expect(report.isClean, "\(report)")
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `A backend that goes away is an error`(seed: UInt64) async throws {
        let router = Self.app(["/help"]) { app in
            app.page("/help") { _ in navPage("Help") { scroll { form { text("Nobody is there.") } } } }
        }
        let transport = Watched(inner: try InProcessTransport(router.handler()), life: 20 + Int(seed))
        let root = "\(InProcessTransport.root)"
        var options = Self.options(5000, seed: seed)
        let report = try await Explore(root, transport: transport, options: options).report()
        #expect(report.end == .backend)
        #expect(report.findings.contains { $0.rule == "no-answer" }, "\(report)")
        options.expected = ["no-answer"]
        let gone = Watched(inner: try InProcessTransport(router.handler()), life: 20 + Int(seed))
        #expect(try await Explore(root, transport: gone, options: options).report().isClean)
    }

    @Test func `A finding that did not repeat once is reported when it does later`() async throws {
        let count = LockedCount()
        let router = Self.app(["/notes/17"]) { app in
            app.page("/notes/17") { _ in
                let number = count.next()
                if number == 1 || number > 8 { throw StatusError(.notFound, "There is no such note.") }
                return navPage("Note") { scroll { form { text("A note.") } } }
            }
        }
        let report = try await Explore(router, options: Self.options(400)).report()
        #expect(report.findings.map(\.rule) == ["app-error"], "\(report)")
        #expect(count.value > 8)
    }
}
