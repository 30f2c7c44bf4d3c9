internal import HTTPTypes

/// Redirects every request to the same path over https: for a second server, in clear text, beside one with TLS.
public struct RedirectToHTTPS: Handler {
    /// The port of the server with TLS.
    public var port: Int

    /// Creates a handler that redirects to `port` on the host that the client requested.
    public init(port: Int = 443) {
        self.port = port
    }

    /// Responds with 308, so that clients repeat the request with its method and body, or with 400 if the client names no host.
    public func respond(to request: Request) -> HandlerResult {
        guard let host = request.hostName else {
            return .ready(.text("name the host: this server only redirects to https\n", status: .badRequest))
        }
        let authority = port == 443 ? host : "\(host):\(port)"
        let query = request.rawQuery.map { "?\($0)" } ?? ""
        let path = request.path == "*" ? "/" : request.path
        var response = Response.text("speak https: https://\(authority)\(path)\n", status: .permanentRedirect)
        // The response depends on the host, which isn't part of every cache's key. The client itself may cache it.
        response.headers[.cacheControl] = "private"
        response.headers[.location] = "https://\(authority)\(path)\(query)"
        return .ready(response)
    }
}

extension Request {
    /// The requested host without the port; nil if the client didn't send a host.
    fileprivate var hostName: String? {
        guard let host = headers.first(where: { $0.name.lowercased() == "host" })?.value else { return nil }
        // The colons of an IPv6 address are in brackets.
        let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
        let name = host[..<(end ?? host.endIndex)]
        return name.isEmpty ? nil : String(name)
    }
}
