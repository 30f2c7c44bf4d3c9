import ArgumentParser
import Backlot

/// `demo-server check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Requests every page in process and says what clients would reject; ends with 1 if there is an error."
    )

    func run() async throws {
        let router = Router()
        DemoCatalogue.register(on: router)
        let report = await router.check()
        print(report)
        if report.hasErrors { throw ExitCode.failure }
    }
}
