public import BacklotHTTP
internal import HTTPTypes

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

    private static let name = HTTPField.Name(field)

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
    /// - Throws: `StatusError` with 400 for a fault that can't be; what `next` throws.
    public func answer(_ request: Request, next: any Handler) throws -> Answer {
        guard let fault = try fault(for: request) else { return try next.answer(request) }
        request.isAnswered(by: AnswerSource(fault: "\(fault)"))
        guard fault.delay > 0 else { return try answer(request, fault, next) }
        return .pending {
            try await Task.sleep(for: .milliseconds(fault.delay))
            return try await answer(request, fault, next).response()
        }
    }

    private func answer(_ request: Request, _ fault: Fault, _ next: any Handler) throws -> Answer {
        guard fault.connection != nil || fault.status != nil else {
            return try next.answer(request).map { Self.mark($0, fault) }
        }
        let response = Self.answer(fault)
        onFault(request, fault, response)
        return .ready(response)
    }

    private static func answer(_ fault: Fault) -> Response {
        let status = fault.status ?? .ok
        guard let connection = fault.connection else {
            return mark(.text("\(status), as a fault on demand asks", status: status), fault)
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
        guard !isExempt(request.path) else { return nil }
        if let order = Self.order(in: request), access?.admits(request) ?? true {
            do throws(FaultSyntaxError) {
                return try Fault(parsing: order.text)
            } catch {
                throw StatusError(.badRequest, "\(order.place) can't be '\(order.text)': \(error)")
            }
        }
        return board.take(for: request)
    }

    /// What a request itself asks for, and where it says so.
    private static func order(in request: Request) -> (place: String, text: String)? {
        let headers = request.headers
        if let name, let text = headers[name] { return ("the field \(field)", text) }
        guard headers.contains(.cookie) else { return nil }
        for header in headers[values: .cookie] {
            if let text = CookieHeader.values(named: cookie, in: header).first {
                return ("the cookie \(cookie)", String(text))
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
