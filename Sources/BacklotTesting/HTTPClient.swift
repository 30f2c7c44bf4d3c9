public import Backlot
public import BacklotClients
internal import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A client of an HTTP API for tests. It keeps cookies, follows redirects and decompresses bodies.
///
/// ```swift
/// try await withHTTPClient(router, over: reach) { client in
///     let created = try await client.post("/plots", json: ["name": "North"])
///     #expect(created.status == .created)
///     #expect(try await client.get("/plots").json(as: [Plot].self).count == 1)
/// }
/// ```
public struct HTTPClient: Sendable {
    private let session: Locked<ClientSession>
    private let root: HTTPURL
    private let hosted: HostedHandler?

    init(_ transport: any ClientTransport, _ root: HTTPURL, _ hosted: HostedHandler?) {
        session = Locked(ClientSession(transport))
        self.root = root
        self.hosted = hosted
    }

    /// The value of a cookie that the client would send to the root; nil without such a cookie.
    public func cookie(_ name: String) -> String? { session.withLock { $0.cookies.value(of: name, for: root) } }

    /// Sends a GET request.
    public func get(_ path: String, headers: HTTPFields = [:]) async throws -> ClientResponse {
        try await send(.get, path, headers: headers)
    }

    /// Sends a POST request with a value as JSON.
    public func post(_ path: String, json: some Encodable, headers: HTTPFields = [:]) async throws -> ClientResponse {
        try await send(.post, path, json: json, headers: headers)
    }

    /// Sends a POST request with the fields of a form.
    public func post(_ path: String, form: [String: String], headers: HTTPFields = [:]) async throws -> ClientResponse {
        let pairs = form.sorted { $0.key < $1.key }.map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers: headers, body: Array(pairs.joined(separator: "&").utf8))
    }

    /// Sends a request with a value as JSON: `JSONEncoder` writes it, with dates in ISO 8601.
    public func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        json: some Encodable,
        headers: HTTPFields = [:]
    ) async throws -> ClientResponse {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        var headers = headers
        headers[.contentType] = "application/json"
        return try await send(method, path, headers: headers, body: Array(encoder.encode(json)))
    }

    /// Sends a request with the client's cookies, and stores the cookies of the response. Tasks may send requests at the same time.
    ///
    /// - Parameters:
    ///   - path: the path and the query, percent-encoded: `/plots?page=2`.
    ///   - followsRedirects: whether the client follows redirects. If false, it returns the redirect itself.
    /// - Throws: `ClientError` if no complete response arrives. Statuses such as 404 and 500 don't throw.
    public func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        followsRedirects: Bool = true
    ) async throws -> ClientResponse {
        var session = session.withLock(\.self)
        session.followsRedirects = followsRedirects
        let request = ClientRequest(method, try root.resolving(path), headers: headers, body: body)
        let before = session.cookies
        // Other requests may change cookies at the same time. A redirect sets its cookies, even if it leads nowhere.
        defer { self.session.withLock { [session] in $0.cookies.take(changesFrom: before, to: session.cookies) } }
        return try await session.send(request, now: Date().timeIntervalSince1970).response
    }

    /// Reads a response while the server sends it, such as server-sent events. The request ends when the caller stops reading.
    ///
    /// ```swift
    /// for try await text in try await client.stream("/prices") { if text.contains("data:") { break } }
    /// ```
    /// - Returns: the pieces of the body, in UTF-8, as they arrive.
    /// - Throws: `StatusError` for any status other than 200; `ClientError`.
    public func stream(_ path: String, headers: HTTPFields = [:]) async throws -> AsyncThrowingStream<String, any Error>
    {
        let url = try root.resolving(path)
        var headers = headers
        headers[.cookie] = session.withLock { $0.cookies.header(for: url, now: Date().timeIntervalSince1970) }
        guard let hosted else { return try await stream(at: url, headers) }
        let head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: url.authority,
            path: url.target,
            headerFields: headers
        )
        let response = await hosted.respond(
            to: head,
            body: RequestBody(),
            from: SocketAddress(host: "127.0.0.1", port: 0)
        )
        guard response.status == .ok else { throw StatusError(response.status, "\(path) has no stream") }
        return Self.pieces { send in try await response.body.write { try await send($0) } }
    }

    /// Streams a response over a socket.
    private func stream(at url: HTTPURL, _ headers: HTTPFields) async throws -> AsyncThrowingStream<String, any Error> {
        let limits = ClientLimits()
        let response = try await ClientLoop.open(
            OutgoingRequest(method: .get, target: url.target, authority: url.authority, headers: headers),
            host: url.host,
            port: url.port,
            bounds: ClientBounds(head: limits.head, body: limits.body, idle: limits.idle, total: nil),
            keepsConnection: false
        )
        guard response.status == .ok else { throw StatusError(response.status, "\(url.path) has no stream") }
        return Self.pieces { send in for try await piece in response.body { try await send(piece) } }
    }

    private static func pieces(
        _ read: @escaping @Sendable (_ send: @escaping @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { stream in
            let reading = Task {
                do {
                    try await read { piece in
                        let isRead = stream.yield(String(decoding: piece, as: UTF8.self))
                        if case .terminated = isRead { throw CancellationError() }
                        // Otherwise a handler that never waits could fill the memory before anybody reads.
                        await Task.yield()
                    }
                    stream.finish()
                } catch {
                    stream.finish(throwing: error)
                }
            }
            stream.onTermination = { _ in reading.cancel() }
        }
    }
}

extension ClientResponse {
    /// Decodes the body with `JSONDecoder`, with dates in ISO 8601.
    ///
    /// - Throws: `DecodingError` if the body isn't such a value.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(body))
    }
}

/// Runs a test with a client of a router's HTTP API. Over a socket, the server stops when the test ends.
///
/// - Parameters:
///   - router: the router with the routes.
///   - reach: how the client reaches them.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
public func withHTTPClient<Result>(
    _ router: Router,
    over reach: ClientReach = .inProcess,
    _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { transport, root in
        let hosted = reach == .socket ? nil : try HostedHandler(router, logger: testLogger)
        return try await body(HTTPClient(transport, HTTPURL(root), hosted))
    }
}
