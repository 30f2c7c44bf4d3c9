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
        let response = await answer(to: request)
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

    private func answer(to request: Request) async -> Response {
        do {
            let response = try await context.handler(request)
            guard let pace = response.pace else { return response }
            return await response.paced(by: pace)
        } catch {
            return context.response(to: error, for: request)
        }
    }

    private func body(
        of response: Response,
        to request: Request,
        limit: Int
    ) async throws(ClientFault) -> [UInt8] {
        let encoder = ResponseEncoder(
            isHead: request.method == .head,
            isHTTP10: false,
            isPersistent: true,
            dateLine: []
        )
        if case .fault(let fault) = response.body { throw ClientFault(fault) }
        guard encoder.framing(of: response) != .none else { return [] }
        switch response.body {
        case .empty, .fault: return []
        case .bytes(let bytes):
            guard bytes.count <= limit else { throw .bodyTooLarge(limit: limit) }
            return bytes
        case .file(let slice):
            guard slice.count <= limit else { throw .bodyTooLarge(limit: limit) }
            return try await bytes(of: slice)
        case .stream(let length, let produce):
            let sink = GatheringSink(limit: limit)
            do {
                try await produce(BodyWriter(sink))
            } catch {
                if sink.isOverflowing { throw .bodyTooLarge(limit: limit) }
                context.logger.error("a streamed answer failed: \(String(reflecting: error))")
                throw .cutShort(bodyBytes: sink.bytes.count)
            }
            if sink.isOverflowing { throw .bodyTooLarge(limit: limit) }
            guard length ?? sink.bytes.count == sink.bytes.count else { throw .cutShort(bodyBytes: sink.bytes.count) }
            return sink.bytes
        }
    }
}

extension InProcessServer {
    private func bytes(of slice: FileSlice) async throws(ClientFault) -> [UInt8] {
        do {
            let bytes = try await Blocking.run { try slice.read(slice.count, from: 0) }
            // A file that has become shorter cuts the connection.
            guard bytes.count == slice.count else { throw ClientFault.cutShort(bodyBytes: bytes.count) }
            return bytes
        } catch let fault as ClientFault {
            throw fault
        } catch {
            context.logger.error("a file can't be sent: \(String(reflecting: error))")
            throw .cutShort(bodyBytes: 0)
        }
    }
}

/// Gathers the pieces of a streamed body.
private final class GatheringSink: BodySink {
    private struct State {
        var bytes: [UInt8] = []
        var isOverflowing = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var isOverflowing: Bool { state.withLock { $0.isOverflowing } }

    func write(_ bytes: [UInt8]) async throws {
        try state.withLock { state in
            guard !state.isOverflowing, state.bytes.count + bytes.count <= limit else {
                state.isOverflowing = true
                // To the function that writes, its client has gone.
                throw StreamError.connectionClosed
            }
            state.bytes += bytes
        }
    }
}
