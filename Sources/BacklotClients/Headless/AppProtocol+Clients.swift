internal import A2UI
internal import Applin
public import Backlot
internal import DynamicViews
internal import Floki
internal import Xpedite

extension AppProtocol {
    /// The headless clients in this module, by protocol. The default protocol comes first.
    private static let headlessClients: KeyValuePairs<AppProtocol, any HeadlessClient.Type> = [
        .applin: ApplinClient.self, .xpedite: XpediteClient.self, .floki: FlokiClient.self,
        .dynamicViews: DynamicViewsClient.self, .a2ui: A2UIClient.self,
    ]

    /// The protocols with a headless client in this module, the default protocol first.
    public static let known = headlessClients.map(\.key)

    /// The default protocol of a backend.
    public static let usual = known[0]

    /// The protocol's headless client; nil for a protocol that only has previews and mocks.
    package var knownClient: (any HeadlessClient.Type)? {
        headlessClient as? any HeadlessClient.Type ?? Self.headlessClients.first { $0.key == self }?.value
    }

    /// The protocol's headless client. The protocol must have one.
    package var client: any HeadlessClient.Type {
        guard let client = knownClient else {
            preconditionFailure("the protocol \(name) has no headless client: set its headlessClient")
        }
        return client
    }

    /// Detects the protocol of a backend by its responses at a URL: to a GET, or to the first packet of a protocol's clients. The
    /// fallback is the default protocol.
    ///
    /// - Throws: `ClientError.invalidURL`.
    public static func found(
        at url: String,
        transport: any ClientTransport = SocketTransport(),
        limits: ClientLimits = ClientLimits(),
        among protocols: [AppProtocol] = known
    ) async throws(ClientError) -> AppProtocol {
        let url = try HTTPURL(url)
        var session = ClientSession(transport, limits: limits)
        func object(_ request: ClientRequest) async -> JSONValue? {
            guard let response = try? await session.send(request, now: 0).response, response.status == .ok,
                let value = try? JSONValue(parsing: response.body), value.object != nil || value.array != nil
            else { return nil }
            return value
        }
        if let response = await object(ClientRequest(.get, url)) {
            let found = protocols.first { $0.client.greeting == nil && $0.begins(with: response) }
            if let found { return found }
        }
        // At a base URL, the first POST would submit a form.
        guard !url.path.hasSuffix("/") else { return usual }
        for candidate in protocols {
            guard let greeting = candidate.client.greeting else { continue }
            let request = ClientRequest(.post, url, headers: [.contentType: "application/json"], body: greeting.bytes)
            if let response = await object(request), candidate.begins(with: response) { return candidate }
        }
        return usual
    }
}
