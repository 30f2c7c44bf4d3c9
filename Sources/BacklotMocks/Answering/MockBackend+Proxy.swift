import BacklotHTTP
import HTTPTypes
import Logging

extension MockBackend {
    /// Fields that are about one connection (RFC 9110, section 7.6.1), or are written by whoever sends a message.
    private static let notForwarded: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host",
        "content-length", "expect", "http2-settings",
    ]
    private static let bounds = ClientBounds(head: 64 * 1024, body: 64 * 1024 * 1024, idle: 60_000, total: 120_000)

    /// Asks another backend, and answers what it does; 502 where it can't be asked.
    func forward(_ request: MockRequest, to proxy: AnswerProxy) async -> Response {
        var headers = HTTPFields()
        for (name, value) in request.headers where !Self.notForwarded.contains(name.lowercased()) {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        let outgoing = OutgoingRequest(
            method: request.method,
            target: proxy.basePath + request.url,
            authority: proxy.authority,
            headers: headers,
            body: request.body,
            waitsForContinue: false
        )
        do throws(ClientFault) {
            let incoming = try await ClientLoop.exchange(
                outgoing,
                host: proxy.host,
                port: proxy.port,
                bounds: Self.bounds
            )
            var response = Response(status: incoming.status, body: .bytes(incoming.body))
            for field in incoming.headers where !Self.notForwarded.contains(field.name.canonicalName) {
                response.headers.append(field)
            }
            return response
        } catch {
            logger.warning("\(request.method) \(request.url): http://\(proxy.authority) did not answer: \(error)")
            return .text("http://\(proxy.authority) did not answer: \(error)\n", status: .badGateway)
        }
    }
}
