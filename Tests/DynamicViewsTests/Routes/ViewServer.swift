import Backlot
import BacklotTesting
import DynamicViews
import Testing

/// Requests views in this process, and reads the responses as plain JSON.
struct ViewServer {
    let transport: any ClientTransport

    init(
        sessions: (any SessionStore)? = nil,
        configuration: DynamicViewsConfiguration = DynamicViewsConfiguration(),
        _ register: (DynamicViewsApp) -> Void
    ) throws {
        let router = Router()
        router.dynamicViews("/views/", sessions: sessions, configuration: configuration) { register($0) }
        transport = try InProcessTransport(router.handler())
    }

    func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> ClientResponse {
        try await send(ClientRequest(.get, HTTPURL("http://localhost/views\(path)"), headers: headers))
    }

    func post(_ path: String, _ body: String, _ more: HTTPFields = [:]) async throws -> ClientResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        for field in more { headers.append(field) }
        let url = try HTTPURL("http://localhost/views\(path)")
        return try await send(ClientRequest(.post, url, headers: headers, body: Array(body.utf8)))
    }

    private func send(_ request: ClientRequest) async throws -> ClientResponse {
        try await transport.response(to: request, limits: ClientLimits())
    }
}
