/// Lets answers go wrong on demand, for trying clients: `router.use(FaultInjection(FaultBoard()))`. Without it nothing does.
///
/// A client, or whoever drives it, asks for it with a field of the request, `Backlot-Fault: status=503; delay=2000`, or with
/// the cookie `backlot-fault=status=503&delay=2000`, which also works where fields can't be set; else what waits on the board
/// for the client counts. `status`, `delay` in milliseconds, and `fault`, which is one of WireMock's names for broken
/// connections, may be combined. An answer that went wrong on demand says so in a field of the same name.
public struct FaultInjection: Middleware {
    /// The field that asks for a fault.
    public static let field = "Backlot-Fault"
    /// The cookie that asks for a fault.
    public static let cookie = "backlot-fault"

    /// The field that asks for a network.
    public static let networkField = "Backlot-Network"
    /// The cookie that asks for a network.
    public static let networkCookie = "backlot-network"

    private static let name = HTTPField.Name(field)
    private static let networkName = HTTPField.Name(networkField)

    /// Where commands leave faults.
    public let board: FaultBoard
    private let access: LocalAccess?
    private let exempt: [String]
    private let onFault: @Sendable (Request, Fault, Response) -> Void

    /// Faults on demand.
    ///
    /// - Parameters:
    ///   - board: where commands leave faults.
    ///   - access: who may ask by a field or a cookie; nil for everybody. Others' fields and cookies are passed over.
    ///   - exempt: paths that always get their answers, with all that is below them, such as `/__admin`.
    ///   - onFault: called with each answer that no handler was asked for, before it goes out.
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

    /// Handles a request, or lets its answer go wrong.
    ///
    /// - Throws: `StatusError` with 400 for a fault or a network that can't be; what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        // One that stands further out has done it already.
        guard request.attributes.isEmpty || request.attributes[FaultMark.self] == nil, !isExempt(request.path) else {
            return try next.respond(to: request)
        }
        guard let network = try network(for: request) else { return try respondOnline(request, next: next) }
        return try respond(to: request, through: network, next: next)
    }

    /// Answers a request that has reached the server.
    private func respondOnline(_ request: Request, next: any Handler) throws -> HandlerResult {
        guard let fault = try fault(for: request) else { return try next.respond(to: request) }
        request.isServed(by: ResponseSource(fault: "\(fault)"))
        let request = request.marked
        guard fault.delay > 0 else { return try respond(to: request, fault, next) }
        return .pending {
            try await Task.sleep(for: .milliseconds(fault.delay))
            return try await respond(to: request, fault, next).response()
        }
    }

    private func respond(to request: Request, _ fault: Fault, _ next: any Handler) throws -> HandlerResult {
        guard fault.connection != nil || fault.status != nil else {
            return try next.respond(to: request).map { Self.mark(fault.losesResponse ? $0.lost : $0, fault) }
        }
        let response = Self.response(fault)
        onFault(request, fault, response)
        return .ready(response)
    }

    private static func response(_ fault: Fault) -> Response {
        let status = fault.status ?? .ok
        guard let connection = fault.connection else {
            var response = Response.text("\(status), as a fault on demand asks", status: status)
            // No cache may keep it for requests that don't ask for it.
            response.headers[.cacheControl] = "no-store"
            return mark(response, fault)
        }
        var response = Response.fault(connection)
        response.status = status
        return mark(response, fault)
    }

    /// The answer, with what went wrong with it.
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

    /// What a request itself asks for.
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

    /// An order, and where the request says so.
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

/// What a network does to requests and their answers.
extension FaultInjection {
    private func respond(
        to request: Request,
        through network: NetworkProfile,
        next: any Handler
    ) throws -> HandlerResult {
        // It changes nothing, and isn't worth a task.
        guard network != NetworkProfile() else { return try respondOnline(request, next: next) }
        let trip = NetworkTrip(network, board.links.link(for: request), board.world)
        let request = request.marked.traveling(trip)
        return .pending { try await respond(to: request, on: trip, next: next) }
    }

    private func respond(to request: Request, on trip: NetworkTrip, next: any Handler) async throws -> Response {
        // Without a network clients know at once.
        if !trip.profile.isOffline { try await trip.request(Self.headSize(of: request)) }
        let lost = trip.loss.map { "; \($0.rawValue)=lost" } ?? ""
        let source = ResponseSource(fault: "network=\(trip.profile)\(lost)")
        if trip.loss == .request {
            let response = Response.fault(.emptyResponse).traveling(trip)
            request.isServed(by: source)
            onFault(request, Fault(connection: .emptyResponse), response)
            return response
        }
        // Errors that have an answer take their time as others do.
        let result = await Result { try await respondOnline(request, next: next).response() }
        let response = try result.response().traveling(trip)
        guard trip.loss == .response else { return response }
        request.isServed(by: source)
        return response.lost
    }

    /// The size of a request's head, as HTTP/1.1 writes it.
    private static func headSize(of request: Request) -> Int {
        request.headers.reduce(request.target.utf8.count + request.method.rawValue.utf8.count + 14) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
    }
}

/// Notes on a request that a `FaultInjection` has seen to it.
private enum FaultMark: RequestAttribute {
    typealias Value = Bool
}

extension Request {
    /// The same request, for which no other `FaultInjection` does anything.
    var marked: Request {
        var request = self
        request.attributes[FaultMark.self] = true
        return request
    }
}

extension Response {
    /// The response as its client doesn't get it: the connection closes instead. Status and fields say what is lost.
    var lost: Response {
        var response = self
        response.body = .fault(.emptyResponse)
        return response
    }
}
