import Applin
import Backlot
import BacklotSQLite
import BacklotService

/// An app for the patients of a clinic: they see their appointments, ask for new ones, and send photos of their referrals.
@main
struct Clinic: ServerApp {
    static let sessionStores: [SessionStoreKind] = [.memory, .sqlite]
    static let database = Setting(
        name: "database",
        defaultText: "clinic.sqlite",
        allowed: "the path of a file",
        read: ServiceSetting.path
    )
    static let settings: [any ListedSetting] = [database]

    @Option(Clinic.database, "The file of the clinic's data.")
    var database: String?

    func routes(_ router: Router, _ service: AppContext) async throws {
        // `clinic check` uses example data.
        let store = try await service.using(Self.database) { try ClinicStore(path: service.isServing ? $0 : nil) }
        service.health.add("database") { try await store.check() }
        Self.register(on: router, store, sessions: service.sessions)
    }

    /// Adds the app, for servers and for tests.
    static func register(on router: Router, _ store: ClinicStore, sessions: any SessionStore) {
        router.applin("/", dialect: .objects, sessions: sessions) { app in
            ClinicPages(store: store).add(to: app)
        }
    }
}
