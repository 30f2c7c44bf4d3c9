import Backlot
import Synchronization

/// Reports requests and their responses to browsers.
struct ExchangeWatch {
    /// The largest body that is shown, in bytes.
    private static let shown = 64 * 1024
    /// Counts the exchanges that go through a network.
    private static let numbers = Atomic(0)
    private static let mode = HTTPField.Name("Sec-Fetch-Mode")

    let hub: EventHub

    func response(to request: Request, by handler: any Handler) async throws -> Response {
        var request = request
        var body: [UInt8]?
        let isByBrowser = Self.mode.map { request.headers.contains($0) } ?? false
        // A browser knows more about its requests than the server does.
        if !isByBrowser, let length = request.body.declaredLength, length > 0, length <= Self.shown {
            let bytes = try await request.body.collect()
            request.body = RequestBody(bytes, limit: request.body.limit)
            body = bytes
        }
        let start = ContinuousClock.now
        func tell(_ response: Response) { self.tell(of: request, response, since: start, isByBrowser, body) }
        do {
            let response = try await handler(request)
            tell(response)
            return response
        } catch {
            tell((error as? any HTTPError).map { Response($0) } ?? Response(status: .internalServerError))
            throw error
        }
    }

    /// Reports a request that a fault or a network ended before it came here.
    func tell(of request: Request, _ response: Response) {
        let isByBrowser = Self.mode.map { request.headers.contains($0) } ?? false
        tell(of: request, response, since: .now, isByBrowser, nil)
    }

    private func tell(
        of request: Request,
        _ response: Response,
        since start: ContinuousClock.Instant,
        _ isByBrowser: Bool,
        _ body: [UInt8]?
    ) {
        var exchange = JSONObject()
        exchange["method"] = .string(request.method.rawValue)
        exchange["path"] = .string(request.target)
        exchange["status"] = .number(JSONNumber(Int64(response.status.code)))
        exchange["microseconds"] = .number(JSONNumber(Int64((ContinuousClock.now - start) / .microseconds(1))))
        exchange["browser"] = .bool(isByBrowser)
        exchange["setCookies"] = .array(response.headers[values: .setCookie].map { .string(Self.redacted($0)) })
        if let type = response.headers[.contentType] { exchange["type"] = .string(type) }
        if let name = HTTPField.Name(FaultInjection.field), let fault = response.headers[name] {
            exchange["fault"] = .string(fault)
        }
        if let trip = request.networkTrip ?? response.networkTrip { Self.tell(of: trip, in: &exchange, hub) }
        if !isByBrowser {
            if let agent = request.headers[.userAgent] { exchange["agent"] = .string(agent) }
            if let body { exchange["body"] = .string(String(decoding: body, as: UTF8.self)) }
            if case .bytes(let bytes) = response.body, bytes.count <= Self.shown {
                exchange["response"] = .string(String(decoding: bytes, as: UTF8.self))
            }
        }
        hub.send(.exchange(.object(exchange)))
    }

    /// Adds the network's effects, and sends the outcome at the end of the response.
    private static func tell(of trip: NetworkTrip, in exchange: inout JSONObject, _ hub: EventHub) {
        let number = JSONValue.number(JSONNumber(Int64(numbers.wrappingAdd(1, ordering: .relaxed).newValue)))
        exchange["network"] = .string("\(trip.profile)")
        exchange["number"] = number
        if let loss = trip.loss { exchange["lost"] = .string(loss.rawValue) }
        let start = ContinuousClock.now
        trip.onEnd { outcome in
            let time = Int64((ContinuousClock.now - start) / .microseconds(1))
            hub.send(
                .transfer([
                    "number": number, "microseconds": .number(JSONNumber(time)),
                    "bytes": .number(JSONNumber(Int64(outcome.bytes))),
                    "stalls": .number(JSONNumber(Int64(outcome.stalls))), "complete": .bool(outcome.isComplete),
                ])
            )
        }
    }

    /// A cookie with only the beginning of its value, which opens nothing.
    static func redacted(_ cookie: String) -> String {
        guard let equals = cookie.firstIndex(of: "=") else { return cookie }
        let value = cookie[cookie.index(after: equals)...].prefix { $0 != ";" }
        guard value.count > 6 else { return cookie }
        return cookie[...equals] + value.prefix(6) + "…" + cookie[value.endIndex...]
    }
}
