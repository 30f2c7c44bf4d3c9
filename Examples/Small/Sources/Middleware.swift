// Your own middleware: a function for everything, and a type with a setting for some routes.
// Run it with `swift run --package-path Examples/Small middleware`, then `curl -i http://127.0.0.1:8080/`.
import Backlot

/// Lets clients keep responses. It doesn't suspend, so that ready responses need no task.
struct Cached: Middleware {
    var maxAge: Duration

    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        try next.respond(to: request).map { response in
            var response = response
            response.headers[.cacheControl] = "max-age=\(maxAge.components.seconds)"
            return response
        }
    }
}

func makeRouter() -> Router {
    let router = Router()
    // The first is the outermost: it sees each request first and each response last.
    router.use { request, next in
        let start = ContinuousClock.now
        var response = try await next(request)
        try response.headers.set("Server-Timing", to: "handler;dur=\((ContinuousClock.now - start) / .milliseconds(1))")
        return response
    }
    router.use(RateLimit(.perMinute(600)))
    router.get("/") { _ in "made for you" }
    router.with(Cached(maxAge: .seconds(3600))).get("/logo.svg") { _ in
        let logo = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#
        return Response(headers: [.contentType: "image/svg+xml"], body: .bytes(Array(logo.utf8)))
    }
    router.group("/old", { _, _ in throw StatusError(.gone, "This part has moved to /.") }) { old in
        old.get("/logo.svg") { _ in "never sent" }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
