internal import Backlot
internal import BacklotHTTP
internal import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Commands to a running server, at `/__admin`. `PUT /__admin/log-level` with `{"level": "debug"}` changes the log level.
/// `POST /__admin/drain` ends the server like a SIGTERM, after `/readyz` has announced it for the drain delay.
struct ServerCommands: Middleware {
    static let logLevelPath = "/__admin/log-level"
    static let drainPath = "/__admin/drain"

    let access: LocalAccess
    let threshold: LogThreshold
    let logger: Logger
    /// Begins to stop the server.
    let drain: @Sendable () -> Void

    /// Creates the commands of a server.
    ///
    /// - Parameters:
    ///   - access: the clients that may give commands; others get a 404.
    ///   - drain: called for `POST /__admin/drain`. Sends the process a SIGTERM by default.
    init(
        access: LocalAccess,
        threshold: LogThreshold,
        logger: Logger,
        drain: @escaping @Sendable () -> Void = { kill(getpid(), SIGTERM) }
    ) {
        self.access = access
        self.threshold = threshold
        self.logger = logger
        self.drain = drain
    }

    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.hasPath(beginningWith: "/__admin/"), [Self.logLevelPath, Self.drainPath].contains(request.path)
        else { return try next.respond(to: request) }
        guard access.admitsCommand(request) else { throw StatusError.nothingResponds(at: request.path) }
        switch (request.path, request.method) {
        case (Self.logLevelPath, .put): return .pending { try await setLevel(request) }
        case (Self.logLevelPath, .get), (Self.logLevelPath, .head): return .ready(level)
        case (Self.drainPath, .post):
            logger.notice("POST \(Self.drainPath): the server stops")
            drain()
            return .ready(Response(json: ["drain": "begun"], status: .accepted))
        default:
            let allowed = request.path == Self.drainPath ? "POST" : "GET, HEAD, PUT"
            throw StatusError(
                .methodNotAllowed,
                "\(request.method) is not for \(request.path); allowed: \(allowed)",
                headers: [.allow: allowed]
            )
        }
    }

    private var level: Response { Response(json: ["level": .string(threshold.level.rawValue)]) }

    private func setLevel(_ request: Request) async throws -> Response {
        let value = try await request.json()["level"]
        guard let text = value?.string, let level = Logger.Level(rawValue: text) else {
            throw StatusError(
                .unprocessableContent,
                #"the body names no level: write {"level": "info"}, with \#(ServiceSetting.logLevel.allowed)"#
            )
        }
        let former = threshold.level
        threshold.level = level
        logger.log(level: max(level, .notice), "the log level is \(level) now, and was \(former)")
        return self.level
    }
}
