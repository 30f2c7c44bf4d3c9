internal import CoreMetrics
internal import Logging

/// The requests of one scheme that one route answers with one status: their metrics, and what their lines of the log have in common. Made when the
/// first of them has been answered.
final class RequestKind: Sendable {
    /// The name in metrics for methods without a route.
    static let otherMethod = "other"

    /// The part of a JSON line that all of them share, up to the duration. A class, so that requests share it without a copy.
    final class Line: Sendable {
        /// The spare bytes at its end for the parts after `duration-ms`.
        static let room = 128

        /// The line, with the route as the path, and with spaces for the time and for an id of 16 digits.
        let text: [UInt8]
        /// Positions in the line.
        let (time, path, id): (Int, Range<Int>, Int)
        /// Its end, which follows the response's source if that isn't a route.
        let end: [UInt8]

        fileprivate init(_ path: String, _ method: String, _ status: Int, _ level: Logger.Level, _ label: String) {
            let path = "\(JSONValue.string(path))"
            let opening = #"{"time":""#
            let spaces = String(repeating: " ", count: LogTime.Text.count)
            let level = #"","level":"\#(level.rawValue)","logger":\#(label),"message":"\#(method) "#
            let start = opening + spaces + level
            let middle = #" \#(status)","request-id":""#
            let end = #","status":\#(status),"duration-ms":"#
            let front = start + path.dropFirst().dropLast() + middle
            let room = [UInt8](repeating: 0, count: Self.room)
            time = opening.utf8.count
            self.path = start.utf8.count..<(front.utf8.count - middle.utf8.count)
            id = front.utf8.count
            text = Array("\(front)\(spaces.prefix(16))\",\"route\":\(path)\(end)".utf8) + room
            self.end = Array(end.utf8) + room
        }
    }

    /// The path of the route; nil without a route.
    let path: String?
    /// The length of each request's path, in bytes; nil if they differ.
    let pathCount: Int?
    /// The method, or `otherMethod`: otherwise clients could invent any number of methods.
    let method: String
    let hasKnownMethod: Bool
    let status: Int
    /// Whether they came encrypted.
    fileprivate let isSecure: Bool
    /// The level of their lines; nil where the path decides.
    let level: Logger.Level?
    let line: Line
    private let duration: CoreMetrics.Timer?

    fileprivate init(
        _ route: RouteNumber,
        _ method: String,
        _ status: Int,
        isSecure: Bool,
        _ log: RequestLog?,
        _ metrics: (any MetricsFactory)?
    ) {
        path = route.path
        self.isSecure = isSecure
        self.method = method
        hasKnownMethod = method != Self.otherMethod
        self.status = status
        let name = path ?? "*"
        // No other request path has as many bytes, because escapes are longer.
        let isFixed = path != nil && !name.contains("{") && name.utf8.count <= RequestLog.longestPath
        pathCount = isFixed ? name.utf8.count : nil
        let isQuiet = log?.isQuiet(name) ?? false
        level = status >= 500 ? .warning : isFixed ? isQuiet ? .debug : .info : nil
        line = Line(name, method, status, level ?? .info, log?.label ?? "")
        let dimensions = [
            ("http.request.method", method == Self.otherMethod ? "_OTHER" : method),
            ("http.response.status_code", String(status)), ("http.route", name),
            ("url.scheme", isSecure ? "https" : "http"),
        ]
        duration = metrics.map { Timer(label: "http.server.request.duration", dimensions: dimensions, factory: $0) }
    }

    /// Counts a request.
    func note(nanoseconds: Int64) {
        duration?.recordNanoseconds(nanoseconds)
    }
}

/// The kinds of requests in a `Telemetry`.
final class RequestKinds: Sendable {
    private let log: RequestLog?
    private let metrics: (any MetricsFactory)?
    /// The kinds for each route, by its number.
    private let known = Locked<[[RequestKind]]>([])

    init(_ log: RequestLog?, _ metrics: (any MetricsFactory)?) {
        self.log = log
        self.metrics = metrics
    }

    /// The kind of a request, which is made if it is the first one.
    func kind(_ route: RouteNumber, _ method: HTTPRequest.Method, _ status: Int, isSecure: Bool = false) -> RequestKind
    {
        let text = method.rawValue
        return known.withLock { known in
            while known.count <= route.value { known.append([]) }
            // By number: a sequence would be a copy of the list.
            for index in known[route.value].indices where known[route.value][index].status == status {
                let kind = known[route.value][index]
                if kind.method == text, kind.isSecure == isSecure { return kind }
            }
            let method = method.bounded
            let other = known[route.value].first {
                $0.status == status && $0.method == method && $0.isSecure == isSecure
            }
            if let other { return other }
            let kind = RequestKind(route, method, status, isSecure: isSecure, log, metrics)
            known[route.value].append(kind)
            return kind
        }
    }
}

extension HTTPRequest.Method {
    /// The method, or `other`, so that the number of texts is limited.
    fileprivate var bounded: String {
        switch self {
        case .get, .post, .head, .options, .put, .patch, .delete: rawValue
        default: RequestKind.otherMethod
        }
    }
}
