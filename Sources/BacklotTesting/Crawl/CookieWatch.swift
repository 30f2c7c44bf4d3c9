internal import BacklotHTTP
internal import HTTPTypes

/// A transport that also remembers the cookies that were set, by redirects too, and counts the requests.
final class CookieWatch: ClientTransport {
    private struct State {
        var settings: [(field: String, url: HTTPURL)] = []
        var requests = 0
    }

    private let transport: any ClientTransport
    private let state = Locked(State())

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// How many requests were sent.
    var requests: Int { state.withLock { $0.requests } }

    /// The cookies that were set since the last call, and what was asked for then.
    func takeSettings() -> [(field: String, url: HTTPURL)] {
        state.withLock { state in
            defer { state.settings = [] }
            return state.settings
        }
    }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientFailure) -> ClientResponse {
        state.withLock { $0.requests += 1 }
        let response = try await transport.response(to: request, limits: limits)
        let fields = response.headers[values: .setCookie]
        state.withLock { $0.settings += fields.map { ($0, request.url) } }
        return response
    }
}
