import BacklotHTTP
import HTTPTypes
import Logging

/// A backend that is asked instead.
public struct AnswerProxy: Sendable, Equatable {
    /// Whether it is asked over TLS.
    public var isSecure: Bool
    /// The host's name or address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// What stands before the path of each request; empty or without a slash at its end.
    public var basePath: String

    /// - Parameter url: such as `http://127.0.0.1:9000/v1` or `https://example.com`. Nil for anything else.
    init?(_ url: String) {
        // A tag may have put anything there.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        isSecure = url.hasPrefix("https://")
        guard isSecure || url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let usualPort = Self.usualPort(isSecure)
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        guard !authority.isEmpty, !authority.contains("@"),
            !path.contains(where: { $0 == "?" || $0 == "#" || $0 == " " })
        else { return nil }
        basePath = path
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":", let port = after.isEmpty ? usualPort : UInt16(after.dropFirst())
            else {
                return nil
            }
            self.port = port
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, !parts[0].isEmpty, let port = parts.count == 2 ? UInt16(parts[1]) : usualPort else {
                return nil
            }
            host = String(parts[0])
            self.port = port
        }
    }

    /// The value of `Host`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.usualPort(isSecure) ? name : "\(name):\(port)"
    }

    /// The URL without its path.
    var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

    private static func usualPort(_ isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }
}

extension MockBackend {
    /// Fields that are about one connection (RFC 9110, section 7.6.1), or that each sender of a message writes itself.
    static let notForwarded: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host",
        "content-length", "expect", "http2-settings",
    ]
    private static let bounds = ClientBounds(
        head: 64 * 1024,
        body: 64 * 1024 * 1024,
        idle: .seconds(60),
        total: .seconds(120)
    )

    /// Sends the request to another backend and returns its answer; 502 where that fails.
    func forward(_ request: MockRequest, as forwarding: AnswerForwarding, _ context: TemplateContext) async -> Response
    {
        let proxy: AnswerProxy
        do throws(UnusableURL) {
            proxy = try forwarding.target(context, limit: configuration.templateLimit)
        } catch {
            logger.warning("\(request.title): \(error.text)")
            return .text("\(error.text)\n", status: .badGateway)
        }
        var headers = HTTPFields()
        for field in forwarding.headers(of: request, context, limit: configuration.templateLimit)
        where !Self.notForwarded.contains(field.name.canonicalName) {
            headers.append(field)
        }
        let outgoing = OutgoingRequest(
            method: request.method,
            target: proxy.basePath + forwarding.url(of: request),
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
                over: proxy.isSecure ? connector : nil,
                bounds: Self.bounds
            )
            var response = Response(status: incoming.status, body: .bytes(incoming.body))
            for field in incoming.headers where !Self.notForwarded.contains(field.name.canonicalName) {
                response.headers.append(field)
            }
            return response
        } catch {
            logger.warning("\(request.method) \(request.url): \(proxy.origin) did not answer: \(error)")
            return .text("\(proxy.origin) did not answer: \(error)\n", status: .badGateway)
        }
    }
}
