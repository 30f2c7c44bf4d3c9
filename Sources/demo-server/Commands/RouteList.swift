import Backlot
import BacklotMocks
import BacklotService
import Logging

/// The command `demo-server routes`, which lists every route.
struct RouteList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Lists every route with its source: those of the demo, and mock routes."
    )

    @OptionGroup var routes: RoutesOption
    @OptionGroup var mocks: MockOptions

    @Flag(help: "List mock routes only, as 'demo-server mock' serves them.")
    var mocksOnly = false

    func run() async throws {
        let routes = try routes.folder
        var lines: [[String]] = []
        if !mocksOnly {
            let router = Router()
            DemoCatalogue.register(on: router)
            lines += router.routes.map { [$0.method.rawValue, $0.path, "\($0.source)"] }
        }
        if let site = try MockSite.load(mocks, from: routes, path: mocksOnly ? "/" : MockMount.path) {
            let folder = routes ?? MockOptions.usualFolder
            lines += site.backend.routes.map {
                [$0.methods.isEmpty ? "ANY" : $0.methods.joined(separator: ","), $0.path, "\(folder)/\($0.source)"]
            }
        } else if mocksOnly {
            throw MockOptions.noFolder
        }
        print(Columns.text(lines), terminator: "")
    }
}
