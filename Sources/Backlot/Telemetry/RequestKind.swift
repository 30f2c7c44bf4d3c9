internal import CoreMetrics
internal import Logging

/// The requests that one route answers with one status: their metrics, and what their lines of the log have in common. Made when the
/// first of them has been answered.
final class RequestKind: Sendable {
    /// The name in metrics for methods without a route.
    static let otherMethod = "other"

    /// The parts of a line in JSON that are the same for all. A class: requests share its parts without copying them.
    final class Line: Sendable {
        /// The text between the time and the path.
        let start: [UInt8]
        /// The text between the path and the request's id.
        let status: [UInt8]
        /// All three, where each request has the same path.
        let whole: [UInt8]
        /// The text between the id and the duration.
        let route: [UInt8]
        /// The end of that, after what answers in a route's place.
        let end: [UInt8]

        fileprivate init(_ path: String, _ method: String, _ status: Int, _ level: Logger.Level, _ label: String) {
            let path = "\(JSONValue.string(path))"
            let start = #"","level":"\#(level.rawValue)","logger":\#(label),"message":"\#(method) "#
            let (middle, end) = (#" \#(status)","request-id":""#, #","status":\#(status),"duration-ms":"#)
            self.start = Array(start.utf8)
            self.status = Array(middle.utf8)
            whole = Array("\(start)\(path.dropFirst().dropLast())\(middle)".utf8)
            route = Array("\",\"route\":\(path)\(end)".utf8)
            self.end = Array(end.utf8)
        }
    }

    /// The path of the route; nil without a route.
    let path: String?
    /// The length of each request's path, in bytes; nil if they differ.
    let pathCount: Int?
    /// The method, or `otherMethod`: clients could make up any number of methods.
    let method: String
    let status: Int
    /// The level of their lines; nil where the path decides.
    let level: Logger.Level?
    let line: Line
    private let requests: Counter?
    private let duration: CoreMetrics.Timer?

    fileprivate init(
        _ route: RouteNumber,
        _ method: String,
        _ status: Int,
        _ log: RequestLog?,
        _ metrics: (any MetricsFactory)?
    ) {
        path = route.path
        self.method = method
        self.status = status
        let name = path ?? "*"
        // No other path of a request has as many bytes: escapes are longer.
        let isFixed = path != nil && !name.contains("{") && name.utf8.count <= RequestLog.longestPath
        pathCount = isFixed ? name.utf8.count : nil
        let isQuiet = log?.isQuiet(name) ?? false
        level = status >= 500 ? .warning : isFixed ? isQuiet ? .debug : .info : nil
        line = Line(name, method, status, level ?? .info, log?.label ?? "")
        let dimensions = [("method", method), ("route", name)]
        let all = dimensions + [("status", String(status))]
        requests = metrics.map { Counter(label: "http.requests", dimensions: all, factory: $0) }
        duration = metrics.map { Timer(label: "http.request.duration", dimensions: dimensions, factory: $0) }
    }

    /// Counts a request.
    func note(nanoseconds: Int64) {
        requests?.increment()
        duration?.recordNanoseconds(nanoseconds)
    }
}

/// The kinds of requests that a `Telemetry` has seen.
final class RequestKinds: Sendable {
    private let log: RequestLog?
    private let metrics: (any MetricsFactory)?
    /// Those of each route, by its number.
    private let known = Locked<[[RequestKind]]>([])

    init(_ log: RequestLog?, _ metrics: (any MetricsFactory)?) {
        self.log = log
        self.metrics = metrics
    }

    /// The kind of a request, which is made if it is the first one.
    func kind(_ route: RouteNumber, _ method: HTTPRequest.Method, _ status: Int) -> RequestKind {
        let method = method.bounded
        return known.withLock { known in
            while known.count <= route.value { known.append([]) }
            if let kind = known[route.value].first(where: { $0.status == status && $0.method == method }) {
                return kind
            }
            let kind = RequestKind(route, method, status, log, metrics)
            known[route.value].append(kind)
            return kind
        }
    }
}

extension HTTPRequest.Method {
    /// The method, or `other`: one of a bounded number of texts.
    fileprivate var bounded: String {
        switch self {
        case .get, .post, .head, .options, .put, .patch, .delete: rawValue
        default: RequestKind.otherMethod
        }
    }
}
