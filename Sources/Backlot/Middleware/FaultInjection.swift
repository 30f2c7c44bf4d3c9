/// Injects faults into responses on demand, for testing clients: `router.use(FaultInjection(FaultBoard()))`.
///
/// A client requests a fault with the field `Backlot-Fault: status=503; delay=2000`, or with the cookie
/// `backlot-fault=status=503&delay=2000` if it can't set fields. Otherwise the next fault on the board for the client applies.
///
/// You may combine `status`, `delay` in milliseconds, and `fault`, one of WireMock's names for broken connections. A response with
/// an injected fault has a header field with the fault's name.
///
/// ```swift
/// let board = FaultBoard()
/// router.use(FaultInjection(board))
/// ```
public struct FaultInjection: Middleware {
    /// The field that requests a fault.
    public static let field = "Backlot-Fault"
    /// The cookie that requests a fault.
    public static let cookie = "backlot-fault"

    /// The field that requests a network.
    public static let networkField = "Backlot-Network"
    /// The cookie that requests a network.
    public static let networkCookie = "backlot-network"

    private static let name = HTTPField.Name(field)
    private static let networkName = HTTPField.Name(networkField)

    /// The board of waiting faults.
    public let board: FaultBoard
    private let access: LocalAccess?
    private let exempt: [String]
    private let onFault: @Sendable (Request, Fault, Response) -> Void

    /// Faults on demand.
    ///
    /// - Parameters:
    ///   - board: the board of waiting faults.
    ///   - access: the clients that may request faults by a field or a cookie; nil for all. Those of other clients are ignored.
    ///   - exempt: paths without faults, which include all paths below them, such as `/__admin`.
    ///   - onFault: called for each response without a handler, before it is sent.
    public init(
        _ board: FaultBoard,
        access: LocalAccess? = nil,
        exempt: [String] = [],
        onFault: @escaping @Sendable (Request, Fault, Response) -> Void = { _, _, _ in }
    ) {
        self.board = board
        self.access = access
        self.exempt = exempt
        self.onFault = onFault
    }

    /// Handles a request, or injects a fault into its response.
    ///
    /// - Throws: `StatusError` with 400 for an invalid fault or network; the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        // An outer `FaultInjection` has handled it already.
        guard request.attributes.isEmpty || request.attributes[FaultMark.self] == nil, !isExempt(request.path) else {
            return try next.respond(to: request)
        }
        guard let network = try network(for: request) else { return try respondOnline(request, next: next) }
        return try respond(to: request, through: network, next: next)
    }

    /// Responds to a request that has reached the server.
    private func respondOnline(_ request: Request, next: any Handler) throws -> HandlerResult {
        guard let fault = try fault(for: request) else { return try next.respond(to: request) }
        request.isServed(by: ResponseSource(fault: "\(fault)"))
        let request = request.marked
        guard fault.delay > .zero else { return try respond(to: request, fault, next) }
        return .pending {
            try await Task.sleep(for: fault.delay)
            return try await respond(to: request, fault, next).response()
        }
    }

    private func respond(to request: Request, _ fault: Fault, _ next: any Handler) throws -> HandlerResult {
        guard fault.connection != nil || fault.status != nil else {
            // Errors with a status have the fault like responses.
            return try next.outcome(of: request).map { result in
                let response = try result.response(to: request)
                return Self.mark(fault.losesResponse ? response.lost : response, fault)
            }
        }
        let response = Self.response(fault)
        onFault(request, fault, response)
        return .ready(response)
    }

    private static func response(_ fault: Fault) -> Response {
        let status = fault.status ?? .ok
        guard let connection = fault.connection else {
            var response = Response.text("\(status), from an injected fault", status: status)
            // No cache may keep it for requests without a fault.
            response.headers[.cacheControl] = "no-store"
            return mark(response, fault)
        }
        var response = Response.fault(connection)
        response.status = status
        return mark(response, fault)
    }

    /// The response with a field that names its fault.
    private static func mark(_ response: Response, _ fault: Fault) -> Response {
        guard let name else { return response }
        var response = response
        response.headers[name] = "\(fault)"
        return response
    }

    private func fault(for request: Request) throws(StatusError) -> Fault? {
        try asked(by: request, Self.name, Self.cookie, Fault.init(parsing:)) ?? board.take(for: request)
    }

    private func network(for request: Request) throws(StatusError) -> NetworkProfile? {
        try asked(by: request, Self.networkName, Self.networkCookie, NetworkProfile.init(parsing:))
            ?? board.network(for: request)
    }

    /// The fault or network that a request asks for itself.
    private func asked<Value>(
        by request: Request,
        _ name: HTTPField.Name?,
        _ cookie: String,
        _ read: (String) throws(FaultSyntaxError) -> Value
    ) throws(StatusError) -> Value? {
        guard let (place, text) = Self.order(in: request.headers, name, cookie),
            access?.admitsPreview(request) ?? true
        else { return nil }
        do throws(FaultSyntaxError) {
            return try read(text)
        } catch {
            throw StatusError(.badRequest, "\(place) can't be '\(text)': \(error)")
        }
    }

    /// The text of a fault or network in a request, and its place there.
    private static func order(
        in headers: RequestHeaders,
        _ name: HTTPField.Name?,
        _ cookie: String
    ) -> (place: String, text: String)? {
        if let name, let text = headers[name] { return ("the field \(name.rawName)", text) }
        guard headers.contains(.cookie) else { return nil }
        for header in headers[values: .cookie] {
            if let text = CookieHeader.values(named: cookie, in: header).first {
                return ("the cookie \(cookie)", CookieHeader.unquoted(text))
            }
        }
        return nil
    }

    private func isExempt(_ path: String) -> Bool {
        exempt.contains {
            path.hasPrefix($0)
                && (path.utf8.count == $0.utf8.count || $0.hasSuffix("/") || path.dropFirst($0.count).hasPrefix("/"))
        }
    }
}

/// The effect of a network on requests and their responses.
extension FaultInjection {
    private func respond(
        to request: Request,
        through network: NetworkProfile,
        next: any Handler
    ) throws -> HandlerResult {
        // This network has no effect, and isn't worth a task.
        guard network != NetworkProfile() else { return try respondOnline(request, next: next) }
        let trip = NetworkTrip(network, board.links.link(for: request), board.world)
        let request = request.marked.traveling(trip)
        return .pending { try await respond(to: request, on: trip, next: next) }
    }

    private func respond(to request: Request, on trip: NetworkTrip, next: any Handler) async throws -> Response {
        // Without a network, clients notice at once.
        if !trip.profile.isOffline { try await trip.request(Self.headSize(of: request)) }
        let lost = trip.loss.map { "; \($0.rawValue)=lost" } ?? ""
        let source = ResponseSource(fault: "network=\(trip.profile)\(lost)")
        if trip.loss == .request {
            let response = Response.fault(.emptyResponse).traveling(trip)
            request.isServed(by: source)
            onFault(request, Fault(connection: .emptyResponse), response)
            return response
        }
        // Errors that become responses take as long as other responses.
        let result = await Result { try await respondOnline(request, next: next).response() }
        let response = try result.response(to: request).traveling(trip)
        guard trip.loss == .response else { return response }
        request.isServed(by: source)
        return response.lost
    }

    /// The size of a request's head in HTTP/1.1.
    private static func headSize(of request: Request) -> Int {
        request.headers.reduce(request.target.utf8.count + request.method.rawValue.utf8.count + 14) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
    }
}

/// Marks a request that a `FaultInjection` has handled.
private enum FaultMark: RequestAttribute {
    typealias Value = Bool
}

extension Request {
    /// The same request, marked so that no other `FaultInjection` handles it.
    var marked: Request {
        var request = self
        request.attributes[FaultMark.self] = true
        return request
    }
}

extension Response {
    /// The lost response: the connection closes instead. Its status and fields still show what the client missed.
    var lost: Response {
        var response = self
        response.body = .fault(.emptyResponse)
        return response
    }
}
