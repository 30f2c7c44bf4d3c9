internal import Backlot
import BacklotClients
internal import BacklotJSON
import BacklotMocks
import BacklotRecording
internal import HTTPTypes

/// A client's request to the mocks, and their answer.
struct CapturedExchange: Sendable {
    let request: ClientRequest
    let response: ClientResponse
}

extension DriftRun {
    /// Asks the backend what clients of the apps ask that files make up: clients go through the mocks first, and the backend gets
    /// the same requests in the same order.
    mutating func askApps(_ pass: Int, _ progress: (CrawlProgress) -> Void) async {
        if captured == nil { captured = await crawlMocks() }
        var session = first.another
        for (index, own) in (captured ?? []).enumerated() where isOpen {
            let call = (try? JSONValue(parsing: own.request.body))?["method"]?.string
            let title = "\(own.request.method.rawValue) \(own.request.url.target)" + (call.map { " \($0)" } ?? "")
            progress(CrawlProgress(pages: order.count, waiting: (captured?.count ?? 0) - index, path: title))
            guard let exchange = try? await session.replay(own) else { continue }
            let drift = AnswerDrift(
                isPage: false,
                logsIn: false,
                statedHeaders: [],
                comparesValues: options.comparesValues,
                route: { [routes] in routes.route($0) }
            )
            note(
                exchange,
                "app \(index)",
                Asked(title: title, source: source(own.request, call), drift: drift, probe: nil)
            )
        }
    }

    /// The file that answers a request of an app; the methods of Xpedite have files of their own.
    private func source(_ request: ClientRequest, _ call: String?) -> (file: String?, line: Int) {
        guard let sent = try? Request(request.method, request.url.target), let found = mocks.probed(by: sent, body: []),
            case .file(let file, let line) = found.source
        else { return (nil, 1) }
        let folder = file.prefix { $0 != "/" }
        guard let call, let own = mocks.methodFile(call, in: String(folder)) else { return (file, line) }
        return (own, 1)
    }

    /// What clients of the apps ask, when they go through all that they can.
    private func crawlMocks() async -> [CapturedExchange] {
        let router = Router()
        router.mocks(mocks)
        guard let inProcess = try? InProcessTransport(CheckedHandler(handler: router.handler())) else { return [] }
        let transport = CapturingTransport(inProcess)
        var crawling = CrawlOptions()
        crawling.callsRPCs = options.callsRPCs
        for app in mocks.apps {
            // Clients of Floki begin at the version indicator; the others at the app's own path.
            let path = app.startPath
            guard let wire = CrawlWire(rawValue: app.appProtocol.formerNames.first ?? app.appProtocol.name),
                let url = try? HTTPURL(InProcessTransport.root).resolving(path),
                let crawl = try? Crawl("\(url)", as: wire, transport: transport, options: crawling)
            else { continue }
            _ = await crawl.report()
        }
        return transport.exchanges
    }
}

/// A transport that remembers what went through it.
private final class CapturingTransport: ClientTransport {
    private let transport: any ClientTransport
    private let state = Locked<[CapturedExchange]>([])

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    var exchanges: [CapturedExchange] { state.withLock { $0 } }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientFailure) -> ClientResponse {
        let response = try await transport.response(to: request, limits: limits)
        state.withLock { $0.append(CapturedExchange(request: request, response: response)) }
        return response
    }
}
