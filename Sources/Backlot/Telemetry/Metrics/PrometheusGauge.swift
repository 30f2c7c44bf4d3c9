internal import BacklotHTTP
internal import CoreMetrics

/// A number that rises and falls.
final class PrometheusGauge: MeterHandler, RecorderHandler {
    private let number = Locked(0.0)

    var value: Double { number.withLock { $0 } }

    func set(_ value: Int64) { number.withLock { $0 = Double(value) } }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}
