internal import BacklotHTTP
internal import HTTPTypes
internal import Logging

/// What became of a request.
struct RequestOutcome {
    /// The methods that metrics tell apart: clients could make up any number.
    private static let methods: Set<String> = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"]
    /// The longest path that is logged whole, in bytes.
    private static let longestPath = 200

    let id: RequestID
    let method: String
    /// As it was sent, without what comes after `?`.
    let path: String
    /// The path of the route; `*` where none answered.
    let route: String
    let session: String?
    let status: Int
    /// The size of the body; nil when it isn't known.
    let bytes: Int?
    let nanoseconds: Int64

    init(
        _ request: Request,
        _ observation: RequestObservation,
        _ status: HTTPResponse.Status,
        _ bytes: Int?,
        _ stopwatch: Stopwatch
    ) {
        id = observation.id
        method = request.method.rawValue
        path = request.path
        route = observation.route ?? "*"
        session = observation.session
        self.status = status.code
        self.bytes = bytes
        nanoseconds = stopwatch.nanoseconds
    }

    /// The method, among a number of them that is bounded.
    var boundedMethod: String { Self.methods.contains(method) ? method : "other" }

    /// In milliseconds, with three digits.
    private var milliseconds: Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

    /// Logs it.
    ///
    /// - Parameter error: what the handler has thrown unexpectedly.
    func log(to logger: Logger, _ error: (any Error)?, isQuiet: Bool) {
        let level: Logger.Level = error != nil ? .error : status >= 500 ? .warning : isQuiet ? .debug : .info
        logger.log(level: level, "\(method) \(loggedPath) \(status)", error: error, metadata: metadata)
    }

    private var loggedPath: String {
        path.utf8.count <= Self.longestPath ? path : "\(path.prefix(Self.longestPath))…"
    }

    private var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request-id": .string(id.text),
            "route": .string(route),
            "status": .stringConvertible(status),
            "duration-ms": .stringConvertible(milliseconds),
        ]
        if let bytes { metadata["bytes"] = .stringConvertible(bytes) }
        // Not "session" alone, which some take for the id.
        if let session { metadata["session-hash"] = .string(session) }
        return metadata
    }
}
