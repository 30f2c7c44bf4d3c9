internal import BacklotHTTP
internal import HTTPTypes

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
    /// The first 64 bits of the hash of its session; nil where none was asked for.
    let session: UInt64?
    /// Why the store of the sessions has failed; nil where it hasn't.
    let storeFailure: String?
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
        storeFailure = observation.storeFailure
        self.status = status.code
        self.bytes = bytes
        nanoseconds = stopwatch.nanoseconds
    }

    /// The method, among a number of them that is bounded.
    var boundedMethod: String { Self.methods.contains(method) ? method : "other" }

    /// In milliseconds, with three digits.
    var milliseconds: Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

    /// The path, as far as it is logged.
    var loggedPath: String {
        path.utf8.count <= Self.longestPath ? path : "\(path.prefix(Self.longestPath))…"
    }
}
