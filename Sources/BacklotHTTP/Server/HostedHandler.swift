public import HTTPTypes
public import Logging

/// A handler inside another server, such as Hummingbird's or Vapor's. It turns a request's head and body into a response.
///
/// ```swift
/// let hosted = try HostedHandler(router, logger: logger)
/// let response = await hosted.respond(to: head, body: RequestBody(pieces, declaredLength: nil), from: address)
/// // Send response.status and response.headers, and then:
/// try await response.body.write { piece in try await send(piece) }
/// ```
/// The other server handles connections: timeouts, the number of clients, TLS, and the response fields `Date`, `Content-Length`,
/// `Transfer-Encoding` and `Connection`. Of the configuration given here, only `limits` for heads and bodies, `trustedProxies`
/// and `showsErrorDetails` apply.
public struct HostedHandler: Sendable {
    private let context: ServerContext

    /// Prepares a handler.
    ///
    /// - Throws: the errors of the handler's `prepare`.
    public init(
        _ handler: any Handler,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger
    ) throws {
        try handler.prepare()
        context = ServerContext(handler: handler, configuration: configuration, logger: logger)
    }

    /// Responds to one request. An error of the handler becomes a response, as in Backlot's own server. So does a head that
    /// Backlot's server would refuse.
    ///
    /// - Parameters:
    ///   - head: the method, the path with its query, the authority and the fields. The scheme decides whether the request counts
    ///     as encrypted.
    ///   - body: the body, which may still be arriving.
    ///   - address: the client's address; nil if the other server doesn't provide it, which counts as 0.0.0.0.
    /// - Returns: the response, without its body if HTTP forbids one, as for HEAD.
    public func respond(to head: HTTPRequest, body: RequestBody, from address: SocketAddress?) async -> Response {
        let request: Request
        do throws(RequestError) {
            request = try Request(hosted: head, body: body, from: address, context.configuration)
        } catch {
            return Self.prepared(Response(error as any HTTPError), isHead: head.method == .head)
        }
        return Self.prepared(await context.response(to: request), isHead: head.method == .head)
    }

    private static func prepared(_ response: Response, isHead: Bool) -> Response {
        var response = response
        for name in HTTPField.Name.ownOfServers { response.headers[name] = nil }
        if isHead, let length = FieldList.length(of: response) { response.headers[.contentLength] = String(length) }
        if !FieldList.mayHaveBody(response, isHead: isHead) { response.body = .empty }
        return response
    }
}

extension HTTPField.Name {
    /// The fields of a response that its server writes.
    fileprivate static let ownOfServers: [HTTPField.Name] = [.connection, .contentLength, .transferEncoding]

    /// The fields of a request about its connection, which belongs to the other server.
    fileprivate static let ofConnections: Set<String> = [
        "connection", "expect", "host", "keep-alive", "te", "transfer-encoding", "upgrade",
    ]
}

extension Request {
    /// Creates a request from one that another server has read. It goes through the same parser as one from a socket.
    fileprivate init(
        hosted head: HTTPRequest,
        body: RequestBody,
        from address: SocketAddress?,
        _ configuration: ServerConfiguration
    ) throws(RequestError) {
        let fields = head.headerFields.lazy.filter { !HTTPField.Name.ofConnections.contains($0.name.canonicalName) }
        let parsed = try RequestHead.made(
            head.method.rawValue,
            head.path ?? "/",
            [(name: "Host", value: head.authority ?? "localhost")] + fields.map { ($0.name.rawName, $0.value) },
            limits: configuration.limits
        )
        // If the address is unknown, the client must not pass for one on this machine.
        guard let address = address ?? SocketAddress(host: "0.0.0.0", port: 0) else { throw .incomplete }
        self.init(
            head: parsed,
            body: body.limited(to: configuration.limits.body),
            remoteAddress: address.unmapped,
            trustedProxies: configuration.trustedProxies
        )
        if head.scheme == "https" { attributes[ProxyHeader.Statement.self] = (proxy: nil, isEncrypted: true) }
    }
}

extension ResponseBody {
    /// Writes the body's bytes, for other servers that send a response.
    ///
    /// - Parameter write: sends some bytes, and returns when there is room for more.
    /// - Throws: the errors of `write` and of the function that writes a stream, and `StreamError` if the number of bytes differs
    ///   from the promise. The connection must then be cut, so that the client can tell.
    public func write(to write: @escaping @Sendable ([UInt8]) async throws -> Void) async throws {
        let count = Locked(0)
        let writer = BodyWriter { bytes in
            count.withLock { $0 += bytes.count }
            try await write(bytes)
        }
        switch self {
        case .empty: return
        case .bytes(let bytes): if !bytes.isEmpty { try await writer.write(bytes) }
        case .file(let slice): try await slice.write(to: writer)
        case .stream(_, let produce): try await produce(writer)
        case .fault: throw StreamError.connectionClosed
        }
        if let length, count.withLock(\.self) != length { throw StreamError.lengthMismatch(promised: length) }
    }
}

/// A body that another server reads piece by piece, for one reader at a time.
final class HostedBody: Sendable {
    let declaredLength: Int?
    /// The next piece, never empty; nil at the end.
    let next: @Sendable () async throws -> [UInt8]?

    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, declaredLength: Int?) where Pieces.Element == [UInt8] {
        self.declaredLength = declaredLength
        let iterator = Exclusive(pieces.makeAsyncIterator())
        next = {
            try await iterator.use(unless: { _ in true }) { iterator in
                while let piece = try await iterator.next(isolation: #isolation) { if !piece.isEmpty { return piece } }
                return nil
            }
        }
    }
}

/// Responds to requests like a server, but without a connection: errors of handlers become responses, and a streamed body is
/// collected.
package struct InProcessServer: Sendable {
    private let context: ServerContext

    package init(_ handler: any Handler, logger: Logger) {
        context = ServerContext(handler: handler, configuration: ServerConfiguration(), logger: logger)
    }

    /// Responds to one request.
    ///
    /// - Parameter bodyLimit: the largest accepted body, in bytes.
    /// - Throws: `ClientConnectionError`, as a client would see it, if the response ends early or is too large.
    package func response(to request: Request, bodyLimit: Int) async throws(ClientConnectionError) -> IncomingResponse {
        let stopwatch = ContinuousClock().now
        var request = request
        request.body.limit = context.configuration.limits.body
        let response = await context.response(to: request)
        let firstByte = stopwatch.duration(to: .now)
        let body = try await body(of: response, to: request, limit: bodyLimit)
        return IncomingResponse(
            status: response.status,
            headers: response.headers,
            body: body,
            firstByte: firstByte,
            total: stopwatch.duration(to: .now)
        )
    }

    /// Responds to one request. The caller writes the body.
    package func open(_ request: Request) async throws(ClientConnectionError) -> Response {
        var request = request
        request.body.limit = context.configuration.limits.body
        let response = await context.response(to: request)
        if case .fault(let fault) = response.body { throw ClientConnectionError(fault) }
        return response
    }

    private func body(
        of response: Response,
        to request: Request,
        limit: Int
    ) async throws(ClientConnectionError) -> [UInt8] {
        if case .fault(let fault) = response.body { throw ClientConnectionError(fault) }
        guard FieldList.mayHaveBody(response, isHead: request.method == .head) else { return [] }
        if case .bytes(let bytes) = response.body, bytes.count <= limit { return bytes }
        let gathered = Locked<(bytes: [UInt8], isTooLarge: Bool)>(([], false))
        do {
            try await response.body.write { piece in
                try gathered.withLock { gathered in
                    gathered.isTooLarge = gathered.isTooLarge || gathered.bytes.count + piece.count > limit
                    // For the writing function, its client has gone.
                    if gathered.isTooLarge { throw StreamError.connectionClosed }
                    gathered.bytes += piece
                }
            }
        } catch {
            let (bytes, isTooLarge) = gathered.withLock(\.self)
            if isTooLarge { throw .bodyTooLarge(limit: limit) }
            context.logger.error("a streamed response failed: \(String(reflecting: error))")
            throw .cutShort(bodyBytes: bytes.count)
        }
        let (bytes, isTooLarge) = gathered.withLock(\.self)
        if isTooLarge { throw .bodyTooLarge(limit: limit) }
        return bytes
    }
}
