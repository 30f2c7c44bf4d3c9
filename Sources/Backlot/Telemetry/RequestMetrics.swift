internal import BacklotHTTP
internal import CoreMetrics

/// The metrics of requests. Each is made once, when the first request of its kind has been answered.
final class RequestMetrics: Sendable {
    private struct Kind: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Instruments {
        let requests: Counter
        let duration: CoreMetrics.Timer
    }

    private let factory: any MetricsFactory
    private let instruments = Locked<[Kind: Instruments]>([:])

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    func note(_ outcome: RequestOutcome) {
        let kind = Kind(method: outcome.boundedMethod, route: outcome.route, status: outcome.status)
        let own = instruments.withLock { instruments in
            if let known = instruments[kind] { return known }
            let new = make(kind)
            instruments[kind] = new
            return new
        }
        own.requests.increment()
        own.duration.recordNanoseconds(outcome.nanoseconds)
    }

    private func make(_ kind: Kind) -> Instruments {
        let dimensions = [("method", kind.method), ("route", kind.route)]
        return Instruments(
            requests: Counter(
                label: "http.requests",
                dimensions: dimensions + [("status", String(kind.status))],
                factory: factory
            ),
            duration: CoreMetrics.Timer(label: "http.request.duration", dimensions: dimensions, factory: factory)
        )
    }
}
