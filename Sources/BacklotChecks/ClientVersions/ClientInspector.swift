public import Backlot

/// Wraps an inspector of an Applin app, and also checks pages for versions of its client. Use it for mocks, which no crawl
/// visits.
///
/// ```swift
/// let clients = try ClientSelection("applin-ios@0.28...")
/// let report = await backend.check { ClientInspector($0, for: clients) }
/// ```
public struct ClientInspector: PageInspector {
    private let inspector: any PageInspector
    private let clients: ClientSelection
    private let baseURL: String?

    /// Creates an inspector that also checks for client versions.
    public init(_ inspector: any PageInspector, for clients: ClientSelection) {
        self.init(inspector, clients, nil)
    }

    private init(_ inspector: any PageInspector, _ clients: ClientSelection, _ baseURL: String?) {
        self.inspector = inspector
        self.clients = clients
        self.baseURL = baseURL
    }

    /// A short example of a response, for advice.
    public var exampleResponse: String { inspector.exampleResponse }

    /// The findings of the wrapped inspector, and one for each reason why versions reject the page or can't send anything from it.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        let findings = inspector.findings(in: document, path: path, app: app)
        var matrix = ClientMatrix(clients)
        let spoken = clients.clients.first { !$0.versions.isEmpty }?.appProtocol
        if let verdicts = spoken?.releases?.verdicts(document.bytes, path, clients.versions, baseURL) {
            matrix.add(verdicts, of: path)
        }
        return findings + matrix.pages.flatMap { matrix.findings(of: $0, besides: findings) }
    }

    /// The findings in a response's body, as for a document. A body that isn't JSON gets only the findings of the wrapped inspector.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        guard let document = try? JSONValue(parsing: body, depthLimit: 512) else {
            return inspector.findings(inBody: body, path: path, app: app)
        }
        return findings(in: document, path: path, app: app)
    }

    /// The pictures of the page in a response.
    public func pictures(inBody body: [UInt8], path: String) -> [PagePicture] {
        inspector.pictures(inBody: body, path: path)
    }

    /// The inspector for an app with a known base URL.
    public func located(at baseURL: String) -> any PageInspector {
        ClientInspector(inspector.located(at: baseURL), clients, baseURL)
    }
}
