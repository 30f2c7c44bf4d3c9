internal import Backlot
internal import BacklotHTTP
internal import Logging
internal import Tracing

/// Sends each event of a logger as a log record, with the span that it happened in.
///
/// Values of metadata whose names say that they are secrets are left out, as in lines of the log.
struct OTLPLogHandler: LogHandler {
    let label: String
    let limits: AttributeLimits
    let queue: ExportQueue<LogRecord>
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    var metadata: Logger.Metadata = [:]

    init(label: String, limits: AttributeLimits, queue: ExportQueue<LogRecord>) {
        self.label = label
        self.limits = limits
        self.queue = queue
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error {
            all["exception.type"] = .string(String(reflecting: type(of: error)))
            all["exception.message"] = .string(String(describing: error))
        }
        let (kept, dropped) = limits.attributes(all)
        queue.add(
            LogRecord(
                scope: label,
                time: DefaultTracerClock.now.nanosecondsSinceEpoch,
                level: event.level,
                message: limits.text(event.message.description),
                attributes: kept,
                dropped: dropped,
                span: ServiceContext.current?.spanIdentity
            )
        )
    }
}

/// What is sent of an event.
struct LogRecord: Sendable {
    /// The logger's label.
    let scope: String
    /// Nanoseconds since 1970 began in UTC.
    let time: UInt64
    let level: Logger.Level
    let message: String
    let attributes: [Attribute]
    let dropped: Int
    let span: SpanIdentity?

    /// Writes the fields of the protocol's `LogRecord`.
    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder) {
        encoder.fixed64(OTLPField(1, "timeUnixNano"), time)
        encoder.small(OTLPField(2, "severityNumber"), level.severity)
        encoder.string(OTLPField(3, "severityText"), level.rawValue)
        encoder.message(OTLPField(5, "body")) { AttributeValue.string(message).write(to: &$0) }
        encoder.attributes(OTLPField(6, "attributes"), attributes)
        encoder.dropped(OTLPField(7, "droppedAttributesCount"), dropped)
        if let span {
            encoder.fixed32(OTLPField(8, "flags"), span.isSampled ? 1 : 0)
            encoder.identity(OTLPField(9, "traceId"), span.trace.words)
            encoder.identity(OTLPField(10, "spanId"), [span.span])
        }
        encoder.fixed64(OTLPField(11, "observedTimeUnixNano"), time)
    }
}

extension Logger.Level {
    /// The protocol's `SeverityNumber`.
    fileprivate var severity: Int {
        switch self {
        case .trace: 1
        case .debug: 5
        case .info: 9
        case .notice: 10
        case .warning: 13
        case .error: 17
        case .critical: 21
        }
    }
}

/// The events that are sent in one go, by their loggers.
struct LogRequest: OTLPRequest {
    let resource: OTLPResource
    let records: [LogRecord]

    var count: Int { records.count }

    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder) {
        let scopes = Dictionary(grouping: records, by: \.scope).sorted { $0.key < $1.key }
        resource.write(to: &encoder, .logs, scopes.map { (name: $0.key, records: $0.value) }) { $1.write(to: &$0) }
    }
}
