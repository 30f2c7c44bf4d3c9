import Applin
import Backlot
import BacklotMocks
import Foundation
import ServerAnnouncement

/// Mock routes, measured.
///
///     bench-mocks serve [--port PORT]
///     bench-mocks load COUNT
///     bench-mocks add COUNT
///
/// `serve` answers with a page that is compiled, at `/new_account`, and with the same page as a mock file with three tags and
/// a scenario, at `/mock/new_account`; and with a list of 20 items, as a template with a loop at `/mock/loop` and as the same bytes
/// at `/mock/list`. `load` reads so many route files, asks for some, and prints
/// `{"files":10000,"milliseconds":500,"ns_per_request":1000}`. `add` adds so many stubs by commands, and prints how long one of the
/// last took: `{"stubs":10000,"us_per_stub":100}`.
@main
struct BenchMocks {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "load", let count = Int(arguments[2]) {
            return print(try LoadSample(files: count).line)
        }
        if arguments.count == 3, arguments[1] == "add", let count = Int(arguments[2]) {
            Task.detached {
                do {
                    print(try await AddSample(stubs: count).line)
                    exit(0)
                } catch {
                    print("\(error)")
                    exit(1)
                }
            }
            while true { pause() }
        }
        let folder = try MockFolder()
        try folder.write(MockPage.text, to: "new_account.page.yaml")
        try LoopMock.write(to: folder)
        var configuration = MockConfiguration(formats: [.applin()])
        configuration.path = "/mock/"
        let backend = MockBackend(configuration)
        try RouteFiles(folder.path, backend: backend).load()
        let router = Router()
        CompiledPage.register(on: router)
        router.mocks(backend)
        let port = arguments.firstIndex(of: "--port").flatMap {
            arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil
        }
        let server = Server(
            router,
            host: "127.0.0.1",
            port: port ?? 0,
            onListening: { ListeningLine.announce(port: Int($0.port)) }
        )
        Task.detached {
            do {
                try await server.run()
                folder.remove()
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        // An asynchronous `main` ends its thread, which valgrind 3.19 doesn't survive.
        while true { pause() }
    }
}
