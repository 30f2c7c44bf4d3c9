internal import HTTPTypes
package import Logging

/// Answers requests as a server does, without a connection: what handlers throw becomes an answer, and a streamed body
/// is gathered.
package struct InProcessServer: Sendable {
    private let context: ServerContext

    package init(_ handler: any Handler, logger: Logger) {
        context = ServerContext(handler: handler, configuration: ServerConfiguration(), logger: logger)
    }

    /// Answers one request.
    ///
    /// - Parameter bodyLimit: the largest body that is taken, in bytes.
    /// - Throws: `ClientFault`: what a client would see of an answer that ends early, or is too large.
    package func response(to request: Request, bodyLimit: Int) async throws(ClientFault) -> IncomingResponse {
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

    private func body(of response: Response, to request: Request, limit: Int) async throws(ClientFault) -> [UInt8] {
        if case .fault(let fault) = response.body { throw ClientFault(fault) }
        guard FieldList.mayHaveBody(response, isHead: request.method == .head) else { return [] }
        if case .bytes(let bytes) = response.body, bytes.count <= limit { return bytes }
        let gathered = Locked<(bytes: [UInt8], isTooLarge: Bool)>(([], false))
        do {
            try await response.body.write { piece in
                try gathered.withLock { gathered in
                    gathered.isTooLarge = gathered.isTooLarge || gathered.bytes.count + piece.count > limit
                    // To the function that writes, its client has gone.
                    if gathered.isTooLarge { throw StreamError.connectionClosed }
                    gathered.bytes += piece
                }
            }
        } catch {
            let (bytes, isTooLarge) = gathered.withLock(\.self)
            if isTooLarge { throw .bodyTooLarge(limit: limit) }
            context.logger.error("a streamed answer failed: \(String(reflecting: error))")
            throw .cutShort(bodyBytes: bytes.count)
        }
        let (bytes, isTooLarge) = gathered.withLock(\.self)
        if isTooLarge { throw .bodyTooLarge(limit: limit) }
        return bytes
    }
}
