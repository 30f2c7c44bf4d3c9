internal import Backlot
internal import Logging
internal import Tracing

/// Sends each event of a logger as a log record, with its span.
///
/// It leaves out metadata with the names of secrets, like log lines.
struct OTLPLogHandler: LogHandler {
    let label: String
    let limits: AttributeLimits
    let queue: ExportQueue<LogRecord>
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    var metadata: Logger.Metadata = [:]

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
        queue.add(LogRecord(scope: label, message: message(event, limits.attributes(all))))
    }

    /// The fields of the protocol's `LogRecord`.
    private func message(_ event: LogEvent, _ attributes: (kept: [OTLPMessage], dropped: Int)) -> OTLPMessage {
        let time = OTLPValue.fixed64(DefaultTracerClock.Timestamp.current.nanosecondsSinceEpoch)
        var message = [
            OTLPField(1, "timeUnixNano", time),
            OTLPField(2, "severityNumber", .small(event.level.severity)),
            OTLPField(3, "severityText", .string(event.level.rawValue)),
            OTLPField(5, "body", .message([.any(limits.text(event.message.description))])),
        ]
        message.add(6, attributes: attributes.kept)
        message.add(7, "droppedAttributesCount", dropped: attributes.dropped)
        if let span = ServiceContext.current?.spanIdentity {
            message.append(OTLPField(8, "flags", .fixed32(span.isSampled ? 1 : 0)))
            message.append(OTLPField(9, "traceId", .identity(span.trace.words)))
            message.append(OTLPField(10, "spanId", .identity([span.span])))
        }
        message.append(OTLPField(11, "observedTimeUnixNano", time))
        return message
    }
}

/// The parts of an event to send.
struct LogRecord: Sendable {
    /// The logger's label.
    let scope: String
    let message: OTLPMessage
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
