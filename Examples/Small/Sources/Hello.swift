// The smallest app: one page for Applin clients.
// Run it with `swift run --package-path Examples/Small hello`, and see the page with `curl http://127.0.0.1:8080/`.
import Applin
import Backlot

func makeRouter() -> Router {
    let router = Router()
    router.applin("/") { app in
        app.page("/") { _ in
            navPage("Hello") { text("Hello, world!") }
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
