public import Logging

extension Request {
    /// A logger for what belongs to this request: that of `Telemetry`, or else one with the label `backlot`, with `request-id`. `Telemetry` adds
    /// `route`, and, once the handler has asked for its session, `session-hash`.
    ///
    /// Ask for it while the request is being handled.
    public var logger: Logger {
        var logger = observation?.logger ?? Logger(label: "backlot")
        logger[metadataKey: "request-id"] = .string(id)
        guard let observation else { return logger }
        if let route = observation.route.path { logger[metadataKey: "route"] = .string(route) }
        if let session = observation.session { logger[metadataKey: "session-hash"] = .string(session.hexadecimal) }
        return logger
    }
}
