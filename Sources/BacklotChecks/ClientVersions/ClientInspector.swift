public import Backlot

/// Judges the pages of an Applin app as another inspector does, and for versions of its client besides: for mocks, which no
/// crawl goes through.
///
/// ```swift
/// let clients = try ClientSelection("applin-ios@0.28...")
/// let report = await backend.check { ClientInspector($0, for: clients) }
/// ```
public struct ClientInspector: PageInspector {
    private let inspector: any PageInspector
    private let clients: ClientSelection
    private let baseURL: String?

    /// An inspector that judges for versions as well.
    public init(_ inspector: any PageInspector, for clients: ClientSelection) {
        self.init(inspector, clients, nil)
    }

    private init(_ inspector: any PageInspector, _ clients: ClientSelection, _ baseURL: String?) {
        self.inspector = inspector
        self.clients = clients
        self.baseURL = baseURL
    }

    /// An answer in short, for advice.
    public var exampleResponse: String { inspector.exampleResponse }

    /// The findings of the other inspector, and one for each reason why versions refuse the page or can send nothing from it.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        let findings = inspector.findings(in: document, path: path, app: app)
        var matrix = ClientMatrix(clients)
        let spoken = clients.clients.first { !$0.versions.isEmpty }?.appProtocol
        if let verdicts = spoken?.releases?.verdicts(document.bytes, path, clients.versions, baseURL) {
            matrix.add(verdicts, of: path)
        }
        return findings + matrix.pages.flatMap { matrix.findings(of: $0, besides: findings) }
    }

    /// The same for an answer's body; nothing more where it isn't JSON.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        guard let document = try? JSONValue(parsing: body, depthLimit: 512) else {
            return inspector.findings(inBody: body, path: path, app: app)
        }
        return findings(in: document, path: path, app: app)
    }

    /// The pictures of the page in an answer.
    public func pictures(inBody body: [UInt8], path: String) -> [PagePicture] {
        inspector.pictures(inBody: body, path: path)
    }

    /// The same for an app whose base URL is known.
    public func located(at baseURL: String) -> any PageInspector {
        ClientInspector(inspector.located(at: baseURL), clients, baseURL)
    }
}
