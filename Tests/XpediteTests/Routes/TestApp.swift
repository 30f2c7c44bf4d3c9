import Backlot
import BacklotTesting
import Testing

@testable import Xpedite

/// Sends packets to an app in this process, and reads the responses as plain JSON.
struct TestApp {
    let transport: any ClientTransport

    init(transport: any ClientTransport) { self.transport = transport }

    init(
        version: Int = 1,
        sessions: any SessionStore = MemorySessionStore(),
        configuration: XpediteConfiguration = XpediteConfiguration(),
        _ register: (XpediteApp) -> Void
    ) throws {
        let router = Router()
        router.use(Decompression())
        router.xpedite("/xpedite", version: version, sessions: sessions, configuration: configuration) { app in
            register(app)
        }
        transport = try InProcessTransport(router.handler())
    }

    /// The answer to a body; HTTP must not say that anything is wrong.
    func send(_ body: String) async throws -> JSONValue { try await send(Array(body.utf8)) }

    func send(_ body: [UInt8], headers: HTTPFields = [:]) async throws -> JSONValue {
        let url = try HTTPURL("http://localhost/xpedite")
        let request = ClientRequest(.post, url, headers: headers, body: body)
        let response = try await transport.response(to: request, limits: ClientLimits())
        #expect(response.status == .ok)
        #expect(response.mediaType == "application/json")
        return try JSONValue(parsing: response.body)
    }

    func send(_ packet: JSONObject) async throws -> JSONValue {
        try await send(JSONValue.object(packet).description)
    }

    /// Begins a session, of another device each time.
    func connect() async throws -> String {
        let response = try await send(["method": "setConnection"])
        return try #require(response["token"]?.string)
    }
}

extension JSONValue {
    /// The text of the first label.
    var label: String? { self["components"]?[0]?["text"]?.string }
}
