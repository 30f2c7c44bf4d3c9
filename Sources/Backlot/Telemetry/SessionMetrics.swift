public import CoreMetrics

/// How many sessions a store has, as the metric `sessions`, where the store can tell.
///
/// ```swift
/// let sessionMetrics = SessionMetrics(of: store, metrics)
/// metrics.beforeReading { await sessionMetrics.update() }
/// ```
public final class SessionMetrics: Sendable {
    private let store: any SessionStore
    /// Returns the factory. A `PrometheusMetrics` is referred to weakly: its `beforeReading` holds this object, and neither would ever
    /// be freed.
    private let factory: @Sendable () -> (any MetricsFactory)?
    /// Made when the store first tells a number.
    private let meter = Locked<(any MeterHandler)?>(nil)

    /// Makes no metric yet.
    public init(of store: any SessionStore, _ factory: any MetricsFactory) {
        self.store = store
        if let registry = factory as? PrometheusMetrics {
            self.factory = { [weak registry] in registry }
        } else {
            self.factory = { factory }
        }
    }

    /// Brings the metric up to date. While the store can't be reached it doesn't change.
    public func update() async {
        guard let count = try? await store.sessionCount() else { return }
        let meter = meter.withLock { meter in
            meter = meter ?? factory()?.makeMeter(label: "sessions", dimensions: [])
            return meter
        }
        meter?.set(Int64(count))
    }
}
