internal import HTTPTypes
internal import Synchronization

/// Passes requests on to another server and its responses back, while both are still arriving (RFC 9110, section 7.6).
///
/// Each message is written anew from its parsed parts, so that the proxy never passes on bytes that two readers could understand
/// differently. `ProxyFields`, `ProxyRequest` and `BackendResponse` decide which header fields change. Also:
///
/// - Content codings stay unchanged in both directions.
/// - Trailers are dropped, and with them `TE` and `Trailer`. Interim responses such as 103 are dropped. The client gets a 100
///   when the backend has asked for the body.
/// - WebSockets are passed on, to backends of HTTP/1.1. While somebody observes one, its messages aren't compressed. Of other changes of
///   protocols, the backend sees a request without `Upgrade`.
/// - A request that has passed through this proxy before, according to `Via`, gets a 508.
/// - Redirects are passed on rather than followed.
package struct ReverseProxy: Sendable {
    /// The backend.
    package let origin: Origin
    private let connector: TLSConnector?
    private let versions: HTTPVersions
    private let bounds: ClientBounds
    private let observedBodyLimit: Int
    private let budget: BufferBudget
    private let name: String
    private let authority: String
    private let vias: (http10: String, http1: String, http2: String)

    /// - Parameters:
    ///   - origin: the backend.
    ///   - connector: the TLS settings for the backend; nil for the system's authorities.
    ///   - versions: the versions of HTTP for the backend.
    ///   - bounds: the limits of its responses. By default, they may take any time and have any size, but pause for at most a
    ///     minute.
    ///   - observedBodyLimit: the largest body that is kept for observers, in bytes. All bodies kept at a time may have 16 times as
    ///     many bytes.
    ///   - budget: the limit for the bodies kept at a time, if several proxies share it.
    ///   - name: the proxy's name in `Via`, which must be unique (RFC 9110, section 7.6.3).
    package init(
        origin: Origin,
        connector: TLSConnector? = nil,
        versions: HTTPVersions = .any,
        bounds: ClientBounds = ClientBounds(head: 64 * 1024, body: .max, idle: .seconds(60), total: nil),
        observedBodyLimit: Int = 4 * 1024 * 1024,
        budget: BufferBudget? = nil,
        name: String = ReverseProxy.makeName()
    ) {
        self.origin = origin
        self.connector = origin.isSecure ? connector ?? .trusting(.system) : nil
        self.versions = versions
        self.bounds = bounds
        self.observedBodyLimit = observedBodyLimit
        self.budget = budget ?? BufferBudget(limit: 16 * observedBodyLimit)
        self.name = name
        authority = origin.authority
        vias = ("1.0 \(name)", "1.1 \(name)", "2 \(name)")
    }

    /// Creates a unique name.
    package static func makeName() -> String { "backlot-" + String(UInt32.random(in: .min ... .max), radix: 36) }

    /// Responds to a request with the backend's response. If the backend can't be reached or understood, it is a 502, and if it
    /// takes too long, a 504, each with a text that explains it. If the backend doesn't finish a response, it is cut off for the
    /// client too.
    ///
    /// - Parameter observe: called once, when the exchange has ended or failed. It runs on the event loop of the request, so it
    ///   must be quick.
    package func respond(
        to request: Request,
        observe: (@Sendable (ProxiedExchange) -> Void)? = nil
    ) async -> Response {
        await respond(to: ProxyRequest(request), observe: observe)
    }

    /// Responds to a request that may have been changed, in the same way as to others.
    ///
    /// - Parameter gatheredLength: the largest response that the proxy waits for, if it states its length, so that its body is
    ///   available as bytes.
    package func respond(
        to request: ProxyRequest,
        gatheringUpTo gatheredLength: Int = 0,
        observe: (@Sendable (ProxiedExchange) -> Void)? = nil
    ) async -> Response {
        var request = request
        if request.opensWebSocket, observe != nil {
            request.changeFields(named: "sec-websocket-extensions") { _ in nil }
        }
        let observation = observe.map { Observation(request, limit: observedBodyLimit, budget, $0) }
        if let response = ownResponse(to: request) {
            observation?.ends(response)
            return response
        }
        do throws(ClientConnectionError) {
            var backendResponse = try await ClientLoop.open(
                outgoing(request, observation),
                host: origin.host,
                port: origin.port,
                over: connector,
                versions: request.opensWebSocket ? .http1 : versions,
                bounds: bounds,
                keepsConnection: !request.opensWebSocket
            )
            if backendResponse.wholeBody == nil, request.method != .head, backendResponse.status != .switchingProtocols,
                let length = backendResponse.body.declaredLength, length <= gatheredLength
            {
                backendResponse.body = RequestBody(try await backendResponse.collect())
            }
            return response(backendResponse, to: request, observation)
        } catch {
            let response = failure(error, request)
            observation?.ends(response, error)
            return response
        }
    }

    private func outgoing(_ request: ProxyRequest, _ observation: Observation?) -> OutgoingRequest {
        var body = request.body
        if let observation, case .stream(var stream) = body {
            if observation.wants(stream.declaredLength) {
                stream.tap = { observation.requestPiece($0) }
                body = .stream(stream)
            } else {
                observation.dropsRequest()
            }
        }
        var target = request.sentTarget
        if !origin.basePath.isEmpty { target = origin.basePath + (target == "*" ? "" : target) }
        var outgoing = OutgoingRequest(
            method: request.method,
            target: target,
            authority: authority,
            headers: request.fields,
            body: body,
            waitsForContinue: request.expectsContinue
        )
        outgoing.via = via(request.headers.version)
        outgoing.opensWebSocket = request.opensWebSocket
        return outgoing
    }

    /// The value that this proxy adds to `Via`.
    private func via(_ version: StaticString) -> String {
        version.utf8CodeUnitCount == 1
            ? vias.http2 : unsafe version.utf8Start[2] == UInt8(ascii: "1") ? vias.http1 : vias.http10
    }

    // MARK: Responses

    private func response(
        _ backendResponse: StreamedResponse,
        to request: ProxyRequest,
        _ observation: Observation?
    ) -> Response {
        let rules = BackendResponse(origin: origin, isSecure: request.scheme == "https")
        let isWebSocket = backendResponse.status.code == 101
        var fields = rules.fields(of: backendResponse.fields)
        if isWebSocket, request.headers.isHTTP2, !request.headers.contains(.secWebSocketKey) {
            fields = fields.mapped { name, value, kept in
                if !name.equals(0..<name.count, ignoringCase: "sec-websocket-accept") { kept.append(name, value) }
            }
        }
        observation?.begins(backendResponse.status, .passed(fields))
        fields.append("Via", via(backendResponse.version))
        if isWebSocket { fields.append("Upgrade", "websocket") }
        var response = Response(status: backendResponse.status, passing: fields)
        if backendResponse.status.code == 205 {
            // RFC 9110, section 15.3.6: it has no content, even if the backend sends some.
            observation?.ends(body: [])
        } else if request.method == .head {
            // The length of the response to GET.
            let length = backendResponse.fields["content-length"].flatMap { Int($0.prefix { $0 != "," }) }
            response.body = .stream(length: length) { _ in }
            observation?.ends(body: [])
        } else if isWebSocket {
            response.body = .stream { writer in
                try await UntilShutdown.run { try await Self.pass(backendResponse, to: writer, observation) }
            }
        } else if let body = backendResponse.wholeBody {
            response.body = .bytes(body)
            observation?.ends(body: body)
        } else {
            response.body = .stream(length: backendResponse.body.declaredLength) { writer in
                try await Self.pass(backendResponse, to: writer, observation)
            }
        }
        return response
    }

    private static func pass(
        _ response: StreamedResponse,
        to writer: BodyWriter,
        _ observation: Observation?
    ) async throws {
        defer { withExtendedLifetime(response.lease) {} }
        let keeps = observation?.wants(response.body.declaredLength) ?? false
        if !keeps { observation?.dropsResponse() }
        do {
            for try await piece in response.body {
                if keeps { observation?.responsePiece(piece) }
                try await writer.write(piece)
            }
            observation?.ends(nil)
        } catch {
            observation?.ends(error as? ClientConnectionError ?? .cancelled)
            throw error
        }
    }

    /// Whether a path has a segment such as `..` or `%2e%2E` (RFC 3986, section 3.3).
    private static func hasDotSegment(_ target: String) -> Bool {
        guard target.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return false }
        return target.prefix { $0 != "?" }.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        }
    }

    private func failure(_ fault: ClientConnectionError, _ request: ProxyRequest) -> Response {
        if case .bodyUnavailable(let error) = fault { return Response(error) }
        let (status, advice): (HTTPResponse.Status, String) =
            switch fault {
            case .timedOut, .unreachable: (.gatewayTimeout, "It may be stuck, or too far away: look into its log.")
            case .notConnected: (.badGateway, "Start it there, or correct its address.")
            case .unknownHost: (.badGateway, "Correct the name of its host.")
            case .notSecured: (.badGateway, "Correct its certificate, or configure it as trusted.")
            default: (.badGateway, "Look into its log.")
            }
        return .text(
            "\(origin) did not respond to \(request.method) \(request.target): \(fault). \(advice)\n",
            status: status
        )
    }

    /// The proxy's own response to a request that must not be passed on; nil for all others.
    private func ownResponse(to request: ProxyRequest) -> Response? {
        if let via = HTTPField.Name.via, request.headers.contains(via), request.headers[via]?.contains(name) ?? false {
            return .text(
                "This request has passed through this proxy before: \(origin) sends it back. Correct the proxy's backend.\n",
                status: .init(code: 508, reasonPhrase: "Loop Detected")
            )
        }
        // The backend would follow them out of the base path.
        if !origin.basePath.isEmpty, Self.hasDotSegment(request.target) {
            return .text("The path has a segment '.' or '..': write the path without it.\n", status: .badRequest)
        }
        guard request.maxForwards == 0 else { return nil }
        // RFC 9110, section 7.6.2: the recipient responds itself.
        if request.method == .options { return Response(status: .noContent, headers: [.allow: "OPTIONS, TRACE"]) }
        var text = "TRACE \(request.target) HTTP/1.1\r\n"
        // RFC 9110, section 9.3.8: without secrets.
        let secret = ["cookie", "auth", "key", "token", "secret", "session", "password"]
        for (name, value) in request.headers where !secret.contains(where: name.lowercased().contains) {
            text += "\(name): \(value)\r\n"
        }
        return Response(headers: [.contentType: "message/http"], body: .bytes(Array((text + "\r\n").utf8)))
    }
}

extension HTTPField.Name {
    fileprivate static let via = HTTPField.Name("Via")
}
