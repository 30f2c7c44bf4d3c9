public import Logging

extension Request {
    /// The request's id, as the log, spans and `X-Request-Id` have it; `-` where the program uses no `Telemetry`.
    public var id: String { observation?.id.text ?? "-" }

    /// A logger for what belongs to this request: that of `Telemetry`, with `request-id`, `route`, and, once the
    /// handler has asked for its session, `session-hash`.
    ///
    /// Ask for it while the request is being handled. Where the program uses no `Telemetry` it has none of these.
    public var logger: Logger {
        var logger = observation?.logger ?? Logger(label: "backlot")
        guard let observation else { return logger }
        logger[metadataKey: "request-id"] = .string(observation.id.text)
        if let route = observation.route { logger[metadataKey: "route"] = .string(route) }
        if let session = observation.session { logger[metadataKey: "session-hash"] = .string(session.hexadecimal) }
        return logger
    }
}
