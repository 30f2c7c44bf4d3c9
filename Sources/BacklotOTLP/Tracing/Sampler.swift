/// Decides which traces are recorded (https://opentelemetry.io/docs/specs/otel/trace/sdk/#sampling).
struct Sampler: Sendable, Equatable {
    /// How traces that begin here are chosen.
    enum Root: Sendable, Equatable {
        case all
        case none
        /// By the trace's number, so that all programs choose the same.
        case share(Double)
    }

    let root: Root
    /// Whether a span follows its parent.
    let followsParent: Bool

    /// The names of `OTEL_TRACES_SAMPLER`.
    static let names = [
        "always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off",
        "parentbased_traceidratio",
    ]
    static let usual = Sampler(root: .all, followsParent: true)

    /// Whether a span is recorded.
    func samples(_ trace: TraceID, parent: SpanIdentity?) -> Bool {
        if followsParent, let parent { return parent.isSampled }
        switch root {
        case .all: return true
        case .none: return false
        case .share(let share): return Double(trace.low >> 1) < share * 0x1p63
        }
    }
}
