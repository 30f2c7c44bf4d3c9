internal import CoreMetrics
internal import Logging

/// The requests that one route answers with one status: their metrics, and what their lines of the log have in common. Made when the
/// first of them has been answered.
final class RequestKind: Sendable {
    /// The parts of a line in JSON that are the same for all.
    struct Line {
        /// What stands between the time and the path.
        let start: [UInt8]
        /// What stands between the path and the request's id.
        let status: [UInt8]
        /// All three, where each request has the same path.
        let whole: [UInt8]
        /// What stands between the id and the duration.
        let route: [UInt8]
        /// The end of that, after what answers in a route's place.
        let end: [UInt8]
    }

    /// The path of the route; nil when none answers.
    let path: String?
    /// How long the path of each request is, in bytes; nil where they differ.
    let pathCount: Int?
    /// The method, or `other`: clients could make up any number of methods.
    let method: String
    let status: Int
    /// The level of their lines; nil where the path decides.
    let level: Logger.Level?
    let line: Line
    fileprivate let number: RouteNumber
    private let requests: Counter?
    private let duration: CoreMetrics.Timer?

    fileprivate init(_ key: RequestKinds.Key, _ log: RequestLog?, _ metrics: (any MetricsFactory)?) {
        number = key.route
        path = key.route.path
        method = key.method.bounded
        status = key.status
        let (name, path) = (path ?? "*", path)
        // No other path of a request has as many bytes: escapes are longer.
        let isFixed =
            path.map { !$0.utf8.contains(UInt8(ascii: "{")) && $0.utf8.count <= RequestLog.longestPath } ?? false
        pathCount = isFixed ? name.utf8.count : nil
        level = status >= 500 ? .warning : isFixed ? log?.isQuiet(name) ?? false ? .debug : .info : nil
        let start = #"","level":"\#(level ?? .info)","logger":\#(log?.label ?? ""),"message":"\#(method) "#
        let (middle, end) = (#" \#(status)","request-id":""#, #","status":\#(status),"duration-ms":"#)
        let whole = "\(start)\("\(JSONValue.string(name))".dropFirst().dropLast())\(middle)"
        line = Line(
            start: Array(start.utf8),
            status: Array(middle.utf8),
            whole: Array(whole.utf8),
            route: Array("\",\"route\":\(JSONValue.string(name))\(end)".utf8),
            end: Array(end.utf8)
        )
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
    fileprivate struct Key {
        let route: RouteNumber
        let method: HTTPRequest.Method
        let status: Int

        func names(_ kind: RequestKind) -> Bool {
            kind.number == route && kind.status == status && kind.method == method.bounded
        }
    }

    private struct Known {
        /// The ones that were looked up last: nearly all requests are of these.
        var recent: [RequestKind] = []
        var next = 0
        /// By the paths of their routes.
        var all: [String: [RequestKind]] = [:]
    }

    private static let recentCount = 8
    private let log: RequestLog?
    private let metrics: (any MetricsFactory)?
    private let known = Locked(Known())

    init(_ log: RequestLog?, _ metrics: (any MetricsFactory)?) {
        self.log = log
        self.metrics = metrics
    }

    /// The kind of a request, which is made if it is the first one.
    func kind(_ route: RouteNumber, _ method: HTTPRequest.Method, _ status: Int) -> RequestKind {
        let key = Key(route: route, method: method, status: status)
        return known.withLock { known in
            known.recent.first { key.names($0) } ?? find(key, in: &known)
        }
    }

    private func find(_ key: Key, in known: inout Known) -> RequestKind {
        let kinds = known.all[key.route.path ?? "*", default: []]
        let kind = kinds.first { key.names($0) } ?? RequestKind(key, log, metrics)
        if !kinds.contains(where: { $0 === kind }) { known.all[key.route.path ?? "*"] = kinds + [kind] }
        if known.recent.count < Self.recentCount {
            known.recent.append(kind)
        } else {
            known.recent[known.next] = kind
            known.next = (known.next + 1) % Self.recentCount
        }
        return kind
    }
}

extension HTTPRequest.Method {
    /// The method, or `other`: one of a bounded number of texts.
    fileprivate var bounded: String {
        switch self {
        case .get, .post, .head, .options, .put, .patch, .delete: rawValue
        default: "other"
        }
    }
}
