internal import Backlot
internal import BacklotClients
import BacklotRecording

/// Finds the steps of the people behind recorded requests. Headless clients get the recorded responses. Of all steps that their
/// screens offer, it chooses the steps that send the recorded requests.
final class FlowReconstruction {
    /// A recorded client.
    struct Player {
        /// The identities in its requests. A client that logs in again gets another session.
        var owners: Set<String>
        var app: ApplinClient
        /// The time of each page's last load, by path.
        var loads: [String: Duration] = [:]
    }

    /// An explanation of a request by steps.
    struct Explanation {
        struct Done {
            let step: ClientStep
            let screen: RecordedScreen
            /// The buttons before the step.
            let buttons: [String]
        }

        var app: ApplinClient
        /// The identities that the client's requests may have.
        var owners: Set<String>
        var done: [Done] = []
        var taken: [Int] = []
        var rules: Set<String> = []
        var remark: String?
        /// The explanation's implausibility, from 0: it grows with the steps without a request.
        var doubt = 0
    }

    /// The maximum number of steps without a request in a row.
    static let mostSilentSteps = 4
    /// The maximum number of tried steps for one request.
    static let mostTries = 400

    let traffic: RecordedTraffic
    /// The assumed properties of the app.
    let recorded: RecordedApp
    private(set) var players: [Player] = []
    private(set) var isExplained: [Bool]
    /// The targets of pages' links. Taps can't request anything else.
    let reachable: Set<String>

    /// The actions of the test.
    private(set) var scenes: [RecordedAction] = []
    /// The rules that the recorded backend broke in a step.
    private(set) var brokenRules: Set<String> = []
    /// The number of requests without an explanation.
    private(set) var unexplained = 0
    /// The number of requests for pictures and similar resources.
    private(set) var decorations = 0
    /// The number of requests that don't belong to the app.
    private(set) var foreign = 0
    /// The number of pages that were opened without a link to them.
    var leaps = 0
    /// The cost of unexplained requests; 0 if everything is explained.
    var cost: Int { (unexplained + foreign) * 3 + leaps }
    /// - Parameter limit: the cost at which the search gives up.
    init(_ traffic: RecordedTraffic, of app: RecordedApp, below limit: Int) async throws {
        self.traffic = traffic
        recorded = app
        isExplained = Array(repeating: false, count: traffic.exchanges.count)
        reachable = traffic.targets(namedBelow: app.base)
        for owner in traffic.owners {
            guard let owner, !players.contains(where: { $0.owners.contains(owner) }) else { continue }
            players.append(Player(owners: [owner], app: try newClient()))
        }
        if players.isEmpty { players.append(Player(owners: [], app: try newClient())) }
        for index in traffic.exchanges.indices where !isExplained[index] && cost < limit { try await explain(index) }
    }

    private func newClient() throws -> ApplinClient {
        var configuration = ApplinClientConfiguration()
        configuration.firstPage = recorded.firstPage
        configuration.failingSeverity = nil
        return try ApplinClient(
            url: RecordedTraffic.origin + recorded.base,
            transport: RecordedTransport(traffic, open: []),
            client: recorded.client,
            configuration: configuration
        )
    }

    // MARK: The client of a request

    private func explain(_ index: Int) async throws {
        guard !traffic.isDecoration(index) else {
            decorations += 1
            isExplained[index] = true
            return
        }
        guard traffic.targets[index].hasPrefix(recorded.base) else {
            foreign += 1
            isExplained[index] = true
            return
        }
        var candidates = candidates(for: index)
        if candidates.isEmpty, traffic.wantsPage(index) {
            // A new client, without a log-in.
            players.append(Player(owners: [], app: try newClient()))
            candidates = [players.count - 1]
        }
        var best: (way: Explanation, player: Int)?
        for player in candidates where best?.way.doubt != 0 {
            let found = players[player].app.stack.isEmpty ? await launch(index, player) : await way(to: index, player)
            if let found, found.doubt < best?.way.doubt ?? .max { best = (found, player) }
        }
        if let best { return take(best.way, best.player) }
        for player in candidates where !players[player].app.stack.isEmpty {
            if let way = await leap(to: index, player) { return take(way, player) }
        }
        isExplained[index] = true
        unexplained += 1
        let player = candidates.first ?? 0
        let exchange = traffic.exchanges[index]
        let remark =
            players[player].app.stack.isEmpty
            ? "The recording begins before the app shows a page." : "Nothing on the screen explains this request."
        scenes.append(.request(player: player, exchange: index, remark: remark))
        // The client keeps the cookies of the response.
        if let url = try? HTTPURL(RecordedTraffic.origin + exchange.url),
            !exchange.responseHeaders[values: .setCookie].isEmpty
        {
            let app = players[player].app.twin(over: RecordedTransport(traffic, open: [index]))
            let path = "/" + url.target.dropFirst(recorded.base.count)
            _ = try? await app.send(exchange.method, path, type: exchange.requestType, body: exchange.requestBody)
            players[player].app = app
        }
    }

    /// The clients that may have sent a request, the most likely first.
    private func candidates(for index: Int) -> [Int] {
        // The next request that shows the client's session.
        func next(_ player: Int) -> Int {
            traffic.owners.indices.first { other in
                other > index && !isExplained[other]
                    && traffic.owners[other].map { players[player].owners.contains($0) } == true
            } ?? .max
        }
        let anonymous = players.indices.filter { !traffic.hasCookies || players[$0].app.cookies.isEmpty }
        guard let owner = traffic.owners[index] else {
            return anonymous.map { (next($0), $0) }.sorted { $0 < $1 }.map(\.1)
        }
        let own = players.indices.filter { players[$0].owners.contains(owner) }
        guard own.allSatisfy({ players[$0].app.stack.isEmpty }) else { return own }
        // A user who has logged out may be logging in again.
        return anonymous.filter { !own.contains($0) && !players[$0].app.stack.isEmpty && next($0) == .max } + own
    }

    private func take(_ way: Explanation, _ player: Int) {
        players[player].app = way.app
        for other in players.indices where other != player { players[other].owners.subtract(way.owners) }
        players[player].owners = way.owners
        brokenRules.formUnion(way.rules)
        for taken in way.taken {
            isExplained[taken] = true
            players[player].loads[traffic.targets[taken]] = traffic.exchanges[taken].began
        }
        let hasOwnPhoto = way.taken.contains {
            traffic.exchanges[$0].method == .put && traffic.exchanges[$0].requestBody != ApplinClient.samplePhoto
        }
        for (offset, done) in way.done.enumerated() {
            let isLast = offset == way.done.count - 1
            let remark =
                done.step == .uploadPhoto && hasOwnPhoto
                ? "A photo of one pixel stands for the recorded one." : isLast ? way.remark : nil
            scenes.append(
                .step(player: player, done.step, remark: remark, done.screen, buttons: done.buttons)
            )
        }
    }
}

/// The parts of a client's screen that a test checks.
struct RecordedScreen: Equatable {
    var title: String?
    var stack: [String] = []
    var texts: [String] = []
    var errors: [String] = []
    var errorKind: ShownErrorKind?
    var errorText: String?
    var modalTitle: String?
    var asksForPhoto = false
    var clipboard: String?
    var launchedURLs: [String] = []

    init() {}

    init(_ app: ApplinClient) {
        title = app.title
        stack = app.stack
        texts = app.texts
        errors = app.errors
        errorKind = app.errorKind
        errorText = app.errorText
        modalTitle = app.modal?.title
        asksForPhoto = app.asksForPhoto
        clipboard = app.clipboard
        launchedURLs = app.launchedURLs
    }
}

/// An action of a test.
enum RecordedAction {
    /// A step, a remark if no tap explains the step, and the screen after it.
    case step(player: Int, ClientStep, remark: String?, RecordedScreen, buttons: [String])
    /// A request without an explanation.
    case request(player: Int, exchange: Int, remark: String)
}
