/// Decides which traces are recorded (https://opentelemetry.io/docs/specs/otel/trace/sdk/#sampling).
struct Sampler: Sendable, Equatable {
    /// The names of `OTEL_TRACES_SAMPLER`.
    static let names = [
        "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off",
        "parentbased_traceidratio",
    ]
    static let usual = Sampler(share: 1, followsParent: true)

    /// The recorded share of the traces that begin here, from 0 to 1. A trace's number decides, so that all programs choose the
    /// same.
    let share: Double
    /// Whether a span follows its parent.
    let followsParent: Bool

    /// Whether a span is recorded.
    func samples(_ trace: TraceID, parent: SpanIdentity?) -> Bool {
        if followsParent, let parent { return parent.isSampled }
        return share == 1 || Double(trace.low >> 1) < share * 0x1p63
    }
}
