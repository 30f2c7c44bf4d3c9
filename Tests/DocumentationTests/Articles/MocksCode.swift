import Applin
import Backlot
import BacklotMocks
import BacklotRecording
import Xpedite

/// Code of the articles "Mocks" and "Drive mocks from a test".
enum MocksCode {
    static func mount(on router: Router) throws {
        let backend = MockBackend(MockConfiguration(formats: [.applin(), .xpedite()]))
        try RouteFiles("Routes", backend: backend).load()
        router.mocks(backend)
    }

    static func recordable() -> MockConfiguration {
        var configuration = MockConfiguration(formats: [.applin()])
        configuration.allowRecording()
        return configuration
    }

    static func addFaults(to router: Router, board: FaultBoard) {
        router.use(FaultInjection(board))
        router.use(CORS(.any))
    }
}
