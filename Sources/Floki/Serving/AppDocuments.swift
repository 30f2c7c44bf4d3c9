import Backlot

/// The version indicator and the app data, made once for each address.
final class AppDocuments: Sendable {
    /// How many addresses are stored: strangers can write any address into a request.
    private static let maximumAddresses = 16

    struct Pair {
        let indicator: [UInt8]
        let data: [UInt8]
    }

    private let template: WireTemplate
    private let version: Int
    private let configuration: FlokiConfiguration
    private let mount: String
    private let made = Locked<[String: Pair]>([:])

    init(_ data: AppData, version: Int, configuration: FlokiConfiguration, mount: String) {
        template = data.template
        self.version = version
        self.configuration = configuration
        self.mount = mount
    }

    /// Both for a request.
    func pair(for request: Request) throws -> Pair {
        let base = try configuration.address.base(for: request, mount: mount)
        if let pair = made.withLock({ $0[base] }) { return pair }
        let url = "\(base)/\(configuration.dataPath)"
        let pair = Pair(
            indicator: VersionIndicator(version: version, url: url, ttl: configuration.ttl.wholeSeconds).bytes,
            data: template.rendered(for: WirePlace(base: base))
        )
        made.withLock { made in
            if made.count < Self.maximumAddresses { made[base] = pair }
        }
        return pair
    }
}

/// Answers with one of the two.
struct AppDocumentHandler: Handler {
    private static let headers: HTTPFields = [.contentType: "application/json"]

    let documents: AppDocuments
    let document: @Sendable (AppDocuments.Pair) -> [UInt8]

    func answer(_ request: Request) throws -> Answer {
        .ready(Response(headers: Self.headers, body: .bytes(document(try documents.pair(for: request)))))
    }
}
