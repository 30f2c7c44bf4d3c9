internal import CoreMetrics
internal import Logging

/// The requests that one route answers with one status: their metrics, and what their lines of the log have in common. Made when the
/// first of them has been answered.
final class RequestKind: Sendable {
    /// The path of a route, for requests that no route answers.
    static let noRoute = "*"

    /// The route; nil when none answers.
    let endpoint: Endpoint?
    /// The method, or `other`: clients could make up any number of methods.
    let method: String
    let status: Int
    /// The level of their lines; nil where the path decides.
    let level: Logger.Level?
    /// The bytes of a line before the path, after it, and after the request's id.
    let line: (start: [UInt8], status: [UInt8], route: [UInt8], end: [UInt8])
    private let requests: Counter?
    private let duration: CoreMetrics.Timer?

    fileprivate init(_ key: RequestKinds.Key, _ log: RequestLog?, _ metrics: (any MetricsFactory)?) {
        endpoint = key.endpoint
        method = key.method.bounded
        status = key.status
        let route = endpoint?.path ?? Self.noRoute
        let isFixed = endpoint?.pattern.hasParameters == false
        level = status >= 500 ? .warning : isFixed ? log?.isQuiet(route) ?? false ? .debug : .info : nil
        let written = level ?? .info
        line = (
            Array(#"","level":"\#(written)","logger":\#(log?.label ?? ""),"message":"\#(method) "#.utf8),
            Array(#" \#(status)","request-id":""#.utf8),
            Array(#"","route":\#(JSONValue.string(route))"#.utf8),
            Array(#","status":\#(status),"duration-ms":"#.utf8)
        )
        let dimensions = [("method", method), ("route", route)]
        let all = dimensions + [("status", String(status))]
        requests = metrics.map { Counter(label: "http.requests", dimensions: all, factory: $0) }
        duration = metrics.map { Timer(label: "http.request.duration", dimensions: dimensions, factory: $0) }
    }

    /// The path of the route.
    var route: String { endpoint?.path ?? Self.noRoute }

    /// Counts a request.
    func note(nanoseconds: Int64) {
        requests?.increment()
        duration?.recordNanoseconds(nanoseconds)
    }
}

/// The kinds of requests that a `Telemetry` has seen.
final class RequestKinds: Sendable {
    fileprivate struct Key {
        let endpoint: Endpoint?
        let method: HTTPRequest.Method
        let status: Int

        func names(_ kind: RequestKind) -> Bool {
            kind.status == status && kind.endpoint === endpoint && kind.method == method.bounded
        }
    }

    private struct Known {
        /// The ones that were looked up last: nearly all requests are of these.
        var recent: [RequestKind] = []
        var next = 0
        var all: [ObjectIdentifier?: [RequestKind]] = [:]
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
    func kind(_ endpoint: Endpoint?, _ method: HTTPRequest.Method, _ status: Int) -> RequestKind {
        let key = Key(endpoint: endpoint, method: method, status: status)
        return known.withLock { known in
            known.recent.first { key.names($0) } ?? find(key, in: &known)
        }
    }

    private func find(_ key: Key, in known: inout Known) -> RequestKind {
        let route = key.endpoint.map { ObjectIdentifier($0) }
        let kind = known.all[route]?.first { key.names($0) } ?? RequestKind(key, log, metrics)
        if known.all[route]?.contains(where: { $0 === kind }) != true { known.all[route, default: []].append(kind) }
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
