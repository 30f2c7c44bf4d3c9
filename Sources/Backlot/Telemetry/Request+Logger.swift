public import Logging

extension Request {
    /// The logger for this request, with its `request-id`: that of `Telemetry`, or else one with the label `backlot`. `Telemetry`
    /// adds `route` and, if the handler has used its session, `session-hash`.
    ///
    /// Use it only while the request is being handled.
    public var logger: Logger {
        var logger = observation?.logger ?? Logger(label: "backlot")
        logger[metadataKey: "request-id"] = .string(id)
        guard let observation else { return logger }
        if let route = observation.route.path { logger[metadataKey: "route"] = .string(route) }
        if let session = observation.session { logger[metadataKey: "session-hash"] = .string(session.hexadecimal) }
        return logger
    }
}
