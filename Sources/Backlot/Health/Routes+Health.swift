internal import BacklotHTTP
internal import HTTPTypes

extension Routes {
    /// Adds `/healthz` and `/readyz`.
    ///
    /// - Parameter alive: the text of the answer at `/healthz`; some look for a certain one.
    public func health(_ health: HealthChecks, alive: String = "ok") {
        get("/healthz") { _ in Response(health: alive, .ok) }
        get("/readyz") { _ in
            let problems = await health.problems()
            guard problems.isEmpty else {
                return Response(health: "not ready: \(problems.joined(separator: "; "))", .serviceUnavailable)
            }
            return Response(health: "ready", .ok)
        }
    }
}

extension Response {
    /// An answer that no cache may keep.
    fileprivate init(health text: String, _ status: HTTPResponse.Status) {
        self = .text(text, status: status)
        headers[.cacheControl] = "no-store"
    }
}
