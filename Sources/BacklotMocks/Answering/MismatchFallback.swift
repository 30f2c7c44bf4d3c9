import Backlot
import BacklotHTTP
import Logging

/// Says why no stub has matched, when nothing else has answered either.
struct MismatchFallback: Fallback {
    let backend: MockBackend

    func answer(_ request: Request) throws -> FallbackAnswer {
        guard backend.covers(request.path) else { return .nothing }
        return .pending { try await response(to: request) }
    }

    private func response(to request: Request) async throws -> Response {
        let body = try await Self.body(of: request, upTo: backend.configuration.bodyLimit)
        let mockRequest = MockRequest(request, body: body, below: backend.prefix)
        let report = MismatchReport(
            request: mockRequest,
            target: request.target,
            // Comparing with many stubs takes its time, which no other connection has to wait for.
            nearMisses: try await Blocking.run { [backend] in
                Self.routes(backend.nearMisses(of: mockRequest, most: 20))
            }
        )
        backend.logger.notice("\(report)")
        let response = Response.text("\(report)\n", status: .notFound)
        backend.configuration.observer?.answered(
            MockExchange(request: mockRequest, stub: nil, response: response, scope: mockRequest.scope)
        )
        return response
    }
}

extension MismatchFallback {
    /// The body, or nothing of one that is too large: that nothing answers here is the more important news.
    private static func body(of request: Request, upTo limit: Int) async throws -> [UInt8] {
        do {
            return try await request.collectSharedBody(upTo: limit)
        } catch RequestError.bodyTooLarge {
            return []
        }
    }

    /// The nearest three routes, each with the answer that comes nearest.
    private static func routes(_ misses: [NearMiss]) -> [NearMiss] {
        var titles: Set<String> = []
        return Array(misses.filter { titles.insert($0.stub.title).inserted }.prefix(3))
    }
}

/// Why a request has matched no stub.
struct MismatchReport: CustomStringConvertible {
    let request: MockRequest
    let target: String
    let nearMisses: [NearMiss]

    var description: String {
        let head = "No mock answers \(request.method) \(target)."
        guard !nearMisses.isEmpty else { return "\(head) There are no mocks at all." }
        return "\(head) The nearest:\n" + nearMisses.map { "  \($0)" }.joined(separator: "\n")
    }
}
