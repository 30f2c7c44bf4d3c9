// Dynamic Views: a document with the handlers beside their widgets, and settings in the session.
// Run it with `swift run --package-path Examples/Small views-settings`, then `curl http://127.0.0.1:8080/views/settings.json`.
import Backlot
import DynamicViews

struct Settings: Codable, Sendable {
    var showsHints = false
    var shop = "none"
}

enum SettingsKey: SessionKey {
    static let name = "settings"
    typealias Value = Settings
}

func makeRouter() -> Router {
    let router = Router()
    router.dynamicViews("/views/", sessions: MemorySessionStore()) { views in
        views.view("settings") { request in
            let settings = try await request.session[SettingsKey.self] ?? Settings()
            return document {
                section("Settings.header", id: "settings") {
                    toggle("Settings.showHints", id: "hints", key: "showHints").onToggle { isOn, request in
                        try await request.session.update(SettingsKey.self) { value in
                            value = Settings(showsHints: isOn, shop: value?.shop ?? "none")
                        }
                    }
                    version(id: "version")
                }
                if request.dialect.platform == .ios {  // Android clients don't know it
                    multiValue("Settings.shop", id: "shop") {
                        option("Settings.north", id: "shop.north")
                        option("Settings.south", id: "shop.south")
                    }
                    .onChoice { option, request in
                        try await request.session.update(SettingsKey.self) { value in
                            value = Settings(showsHints: value?.showsHints ?? false, shop: option)
                        }
                    }
                }
                if settings.showsHints { text("Settings.hint", id: "hint").padding(bottom: 16) }
            }
            .style(.list).padding(horizontal: 30, vertical: 16)
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
