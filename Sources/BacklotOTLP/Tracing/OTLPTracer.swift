internal import Tracing

/// Starts spans, and passes their context on in the form of W3C Trace Context.
struct OTLPTracer: Tracer {
    let sampler: Sampler
    let limits: AttributeLimits
    /// The queue of finished spans; nil if spans aren't sent, and the program only passes traces on.
    let queue: ExportQueue<SpanRecord>?

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context.spanIdentity
        let trace = parent?.trace ?? .random()
        let identity = SpanIdentity(
            trace: trace,
            span: .random(in: 1 ... .max),
            isSampled: queue == nil ? parent?.isSampled ?? false : sampler.samples(trace, parent: parent),
            state: parent?.state ?? ""
        )
        context.spanIdentity = identity
        return OTLPSpan(
            SpanRecord(
                identity: identity,
                parent: parent,
                kind: kind,
                name: operationName,
                start: instant().nanosecondsSinceEpoch
            ),
            context: context,
            limits: limits,
            queue: identity.isSampled ? queue : nil
        )
    }

    /// Sends finished spans now. Without this call they are sent within seconds, and when the program stops.
    func forceFlush() {
        queue?.wake()
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: SpanIdentity.parentField, from: carrier) else { return }
        let state = extractor.extract(key: SpanIdentity.stateField, from: carrier)
        if let identity = SpanIdentity(parent: parent, state: state) { context.spanIdentity = identity }
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let identity = context.spanIdentity else { return }
        injector.inject(identity.parentValue, forKey: SpanIdentity.parentField, into: &carrier)
        if !identity.state.isEmpty { injector.inject(identity.state, forKey: SpanIdentity.stateField, into: &carrier) }
    }
}
