internal import BacklotHTTP

extension Routes {
    /// Answers `GET` with the metrics in Prometheus' text format.
    ///
    /// - Parameters:
    ///   - path: where.
    ///   - access: who may read them; anybody else gets a 404. nil: anybody, for a port that strangers can't reach.
    public func metrics(_ metrics: PrometheusMetrics, at path: String = "/metrics", _ access: LocalAccess?) {
        get(path) { request in
            if let refusal = access?.refusal(of: request) { throw refusal }
            var response = Response(body: .bytes(Array(await metrics.text().utf8)))
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            response.headers[.cacheControl] = "no-store"
            return response
        }
    }
}
