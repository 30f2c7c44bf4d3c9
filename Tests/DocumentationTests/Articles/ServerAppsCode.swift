import Applin
import Backlot
import BacklotService

/// Code of the article "A server in twenty lines". The rest of it is in Examples/Clinic.
enum ServerAppsCode {
    struct Clinic: ServerApp {
        func routes(_ router: Router, _ service: AppContext) async throws {
            router.applin("/", sessions: service.sessions) { app in
                app.page("/") { _ in navPage("Clinic") { text("Welcome") } }
            }
        }
    }
}
