internal import BacklotHTTP
internal import Tracing

/// A span while it lasts. One that isn't recorded only has a context.
final class OTLPSpan: Span {
    let context: ServiceContext
    private let limits: AttributeLimits
    private let queue: ExportQueue<SpanRecord>?
    private let record: Locked<SpanRecord>

    init(
        _ record: SpanRecord,
        context: ServiceContext,
        limits: AttributeLimits,
        queue: ExportQueue<SpanRecord>?
    ) {
        self.context = context
        self.limits = limits
        self.queue = queue
        self.record = Locked(record)
    }

    var isRecording: Bool { queue != nil && record.withLock { $0.end == nil } }

    var operationName: String {
        get { record.withLock { $0.name } }
        set { change { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { record.withLock { $0.attributes } }
        set { change { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) {
        change { record in
            // What is good stays so, as OpenTelemetry wants it.
            if record.status?.code != .ok { record.status = status }
        }
    }

    func addEvent(_ event: SpanEvent) {
        change { $0.add(event, limits) }
    }

    func addLink(_ link: SpanLink) {
        guard let identity = link.context.spanIdentity else { return }
        change { $0.add(identity, link.attributes, limits) }
    }

    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        guard queue != nil else { return }
        var attributes = attributes
        attributes["exception.type"] = String(reflecting: type(of: error))
        attributes["exception.message"] = String(describing: error)
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let queue else { return }
        let now = instant().nanosecondsSinceEpoch
        let ended: SpanRecord? = record.withLock { record in
            guard record.end == nil else { return nil }
            record.end = now
            return record
        }
        if let ended { queue.add(ended) }
    }

    private func change(_ change: (inout SpanRecord) -> Void) {
        guard queue != nil else { return }
        record.withLock { if $0.end == nil { change(&$0) } }
    }
}

/// What is sent of a span.
struct SpanRecord: Sendable {
    struct Event: Sendable {
        let name: String
        let time: UInt64
        let attributes: [Attribute]
        let dropped: Int
    }

    struct Link: Sendable {
        let identity: SpanIdentity
        let attributes: [Attribute]
        let dropped: Int
    }

    let identity: SpanIdentity
    let parent: SpanIdentity?
    let kind: SpanKind
    var name: String
    /// Nanoseconds since 1970 began in UTC.
    let start: UInt64
    /// nil while it lasts.
    var end: UInt64?
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    private(set) var events: [Event] = []
    private(set) var links: [Link] = []
    private var droppedEvents = 0
    private var droppedLinks = 0

    init(identity: SpanIdentity, parent: SpanIdentity?, kind: SpanKind, name: String, start: UInt64) {
        self.identity = identity
        self.parent = parent
        self.kind = kind
        self.name = name
        self.start = start
    }

    mutating func add(_ event: SpanEvent, _ limits: AttributeLimits) {
        guard events.count < limits.count else {
            droppedEvents += 1
            return
        }
        let (kept, dropped) = limits.attributes(event.attributes)
        events.append(
            Event(name: event.name, time: event.nanosecondsSinceEpoch, attributes: kept, dropped: dropped)
        )
    }

    mutating func add(_ link: SpanIdentity, _ attributes: SpanAttributes, _ limits: AttributeLimits) {
        guard links.count < limits.count else {
            droppedLinks += 1
            return
        }
        let (kept, dropped) = limits.attributes(attributes)
        links.append(Link(identity: link, attributes: kept, dropped: dropped))
    }

    /// Writes the fields of the protocol's `Span`.
    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder, _ limits: AttributeLimits) {
        let (kept, dropped) = limits.attributes(attributes)
        encoder.identity(OTLPField(1, "traceId"), identity.trace.words)
        encoder.identity(OTLPField(2, "spanId"), [identity.span])
        if !identity.state.isEmpty { encoder.string(OTLPField(3, "traceState"), identity.state) }
        if let parent { encoder.identity(OTLPField(4, "parentSpanId"), [parent.span]) }
        encoder.string(OTLPField(5, "name"), limits.text(name))
        encoder.small(OTLPField(6, "kind"), kind.number)
        encoder.fixed64(OTLPField(7, "startTimeUnixNano"), start)
        encoder.fixed64(OTLPField(8, "endTimeUnixNano"), end ?? start)
        encoder.attributes(OTLPField(9, "attributes"), kept)
        encoder.dropped(OTLPField(10, "droppedAttributesCount"), dropped)
        encoder.messages(OTLPField(11, "events"), events) { encoder, event in
            encoder.fixed64(OTLPField(1, "timeUnixNano"), event.time)
            encoder.string(OTLPField(2, "name"), event.name)
            encoder.attributes(OTLPField(3, "attributes"), event.attributes)
            encoder.dropped(OTLPField(4, "droppedAttributesCount"), event.dropped)
        }
        encoder.dropped(OTLPField(12, "droppedEventsCount"), droppedEvents)
        encoder.messages(OTLPField(13, "links"), links) { encoder, link in
            encoder.identity(OTLPField(1, "traceId"), link.identity.trace.words)
            encoder.identity(OTLPField(2, "spanId"), [link.identity.span])
            if !link.identity.state.isEmpty { encoder.string(OTLPField(3, "traceState"), link.identity.state) }
            encoder.attributes(OTLPField(4, "attributes"), link.attributes)
            encoder.dropped(OTLPField(5, "droppedAttributesCount"), link.dropped)
        }
        encoder.dropped(OTLPField(14, "droppedLinksCount"), droppedLinks)
        if let status {
            encoder.message(OTLPField(15, "status")) { encoder in
                if let message = status.message { encoder.string(OTLPField(2, "message"), limits.text(message)) }
                encoder.small(OTLPField(3, "code"), status.code == .ok ? 1 : 2)
            }
        }
        encoder.fixed32(OTLPField(16, "flags"), identity.flags(parent: parent))
    }
}

extension OTLPEncoder where Self: ~Copyable {
    /// Writes how many were left out; nothing for none.
    mutating func dropped(_ field: OTLPField, _ count: Int) {
        if count > 0 { small(field, count) }
    }
}

extension SpanKind {
    /// The protocol's number.
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}

/// The spans that are sent in one go.
struct SpanRequest: OTLPRequest {
    let resource: OTLPResource
    let spans: [SpanRecord]
    let limits: AttributeLimits

    var count: Int { spans.count }

    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder) {
        resource.write(to: &encoder, .traces, [(name: "backlot", records: spans)]) { $1.write(to: &$0, limits) }
    }
}
