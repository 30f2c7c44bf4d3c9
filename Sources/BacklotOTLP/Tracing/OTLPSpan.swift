internal import BacklotHTTP
internal import Tracing

/// A span until it ends. A span that isn't recorded only has a context.
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
            // A status of `ok` stays, as OpenTelemetry requires.
            if record.status?.code != .ok { record.status = status }
        }
    }

    func addEvent(_ event: SpanEvent) {
        change { $0.events.add(upTo: limits.count, event.message(limits)) }
    }

    func addLink(_ link: SpanLink) {
        guard let identity = link.context.spanIdentity else { return }
        change { $0.links.add(upTo: limits.count, identity.link(link.attributes, limits)) }
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

/// The parts of a span to send.
struct SpanRecord: Sendable {
    let identity: SpanIdentity
    let parent: SpanIdentity?
    let kind: SpanKind
    var name: String
    /// Nanoseconds since 1970-01-01 in UTC.
    let start: UInt64
    /// nil until the span ends.
    var end: UInt64?
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var events = BoundedMessages()
    var links = BoundedMessages()

    /// The fields of the protocol's `Span`.
    func message(_ limits: AttributeLimits) -> OTLPMessage {
        let (kept, dropped) = limits.attributes(attributes)
        var message = identity.fields
        if let parent { message.append(OTLPField(4, "parentSpanId", .identity([parent.span]))) }
        message.append(OTLPField(5, "name", .string(limits.text(name))))
        message.append(OTLPField(6, "kind", .small(kind.number)))
        message.append(OTLPField(7, "startTimeUnixNano", .fixed64(start)))
        message.append(OTLPField(8, "endTimeUnixNano", .fixed64(end ?? start)))
        message.add(9, attributes: kept)
        message.add(10, "droppedAttributesCount", dropped: dropped)
        message.append(OTLPField(11, "events", .messages(events.kept)))
        message.add(12, "droppedEventsCount", dropped: events.dropped)
        message.append(OTLPField(13, "links", .messages(links.kept)))
        message.add(14, "droppedLinksCount", dropped: links.dropped)
        if let status {
            var fields: OTLPMessage = []
            fields.add(2, "message", limits.text(status.message ?? ""))
            fields.append(OTLPField(3, "code", .small(status.code == .ok ? 1 : 2)))
            message.append(OTLPField(15, "status", .message(fields)))
        }
        message.append(OTLPField(16, "flags", .fixed32(identity.flags(parent: parent))))
        return message
    }
}

/// The events or links of a span, up to a limit.
struct BoundedMessages: Sendable {
    private(set) var kept: [OTLPMessage] = []
    private(set) var dropped = 0

    mutating func add(upTo limit: Int, _ message: @autoclosure () -> OTLPMessage) {
        if kept.count < limit { kept.append(message()) } else { dropped += 1 }
    }
}

extension SpanEvent {
    fileprivate func message(_ limits: AttributeLimits) -> OTLPMessage {
        let (kept, dropped) = limits.attributes(attributes)
        var message = [
            OTLPField(1, "timeUnixNano", .fixed64(nanosecondsSinceEpoch)), OTLPField(2, "name", .string(name)),
        ]
        message.add(3, attributes: kept)
        message.add(4, "droppedAttributesCount", dropped: dropped)
        return message
    }
}

extension SpanIdentity {
    fileprivate func link(_ attributes: SpanAttributes, _ limits: AttributeLimits) -> OTLPMessage {
        let (kept, dropped) = limits.attributes(attributes)
        var message = fields
        message.add(4, attributes: kept)
        message.add(5, "droppedAttributesCount", dropped: dropped)
        return message
    }

    /// The common fields of a span and a link.
    fileprivate var fields: OTLPMessage {
        var fields = [OTLPField(1, "traceId", .identity(trace.words)), OTLPField(2, "spanId", .identity([span]))]
        fields.add(3, "traceState", state)
        return fields
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
