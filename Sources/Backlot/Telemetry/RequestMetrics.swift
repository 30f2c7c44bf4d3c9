internal import CoreMetrics

/// The metrics of requests. Each is made once, when the first request of its kind has been answered.
final class RequestMetrics: Sendable {
    private struct Kind: Hashable {
        /// First, since it tells most kinds apart before a text is compared.
        let status: Int
        let method: String
        let route: String
    }

    private struct Instruments {
        let requests: Counter
        let duration: CoreMetrics.Timer
    }

    private struct Known {
        private static let recentCount = 8
        /// The ones looked up last. Comparing the texts of a few costs a third of hashing one.
        private(set) var recent: [(kind: Kind, instruments: Instruments)] = []
        private var next = 0
        private var all: [Kind: Instruments] = [:]

        mutating func find(_ kind: Kind, or make: (Kind) -> Instruments) -> Instruments {
            let instruments = all[kind] ?? make(kind)
            all[kind] = instruments
            if recent.count < Self.recentCount {
                recent.append((kind, instruments))
            } else {
                recent[next] = (kind, instruments)
                next = (next + 1) % Self.recentCount
            }
            return instruments
        }
    }

    private let factory: any MetricsFactory
    private let known = Locked(Known())

    init(_ factory: any MetricsFactory) { self.factory = factory }

    func note(_ outcome: RequestOutcome) {
        let kind = Kind(status: outcome.status, method: outcome.boundedMethod, route: outcome.route)
        let own = known.withLock { known in
            known.recent.first { $0.kind == kind }?.instruments ?? known.find(kind, or: make)
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
