package import BacklotHTTP
package import HTTPTypes

extension HTTPVersions {
    /// HTTP/1.1 alone, and HTTP/2 alone: for tests of what is the same in both.
    package static let each: [HTTPVersions] = [.http1, .http2]
}

extension SocketAddress {
    /// Sends a request in clear text over a new connection, and returns the whole response.
    ///
    /// - Parameter name: the requested host, with its port; nil for `localhost` and the server's.
    package func exchange(
        _ version: HTTPVersions,
        _ method: HTTPRequest.Method,
        _ target: String,
        _ headers: HTTPFields = [:],
        host name: String? = nil,
        body: [UInt8] = []
    ) async throws -> IncomingResponse {
        try await ClientLoop.exchange(
            request(method, target, headers, body, name),
            host: "127.0.0.1",
            port: port,
            versions: version,
            bounds: Self.bounds
        )
    }

    /// Sends a GET; otherwise as for any method.
    package func exchange(
        _ version: HTTPVersions,
        _ target: String,
        _ headers: HTTPFields = [:],
        host name: String? = nil
    ) async throws -> IncomingResponse {
        try await exchange(version, .get, target, headers, host: name)
    }

    /// Sends a request in clear text over a new connection, and returns as soon as the head of the response is
    /// there.
    package func open(
        _ version: HTTPVersions,
        _ method: HTTPRequest.Method,
        _ target: String,
        _ headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> StreamedResponse {
        try await ClientLoop.open(
            request(method, target, headers, body),
            host: "127.0.0.1",
            port: port,
            versions: version,
            bounds: Self.bounds,
            keepsConnection: false
        )
    }

    private static let bounds = ClientBounds(head: 65_536, body: 64 << 20, idle: .seconds(20), total: .seconds(60))

    private func request(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ headers: HTTPFields,
        _ body: [UInt8],
        _ name: String? = nil
    ) -> OutgoingRequest {
        OutgoingRequest(
            method: method,
            target: target,
            authority: name ?? "localhost:\(port)",
            headers: headers,
            body: body,
            waitsForContinue: false
        )
    }
}

extension IncomingResponse {
    /// The body as a text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
