internal import Backlot
internal import BacklotClients
import BacklotRecording

/// Finds out what the people did whose clients' requests were recorded: headless clients get the recorded answers, and of all that
/// can be done on their screens, that is done whose requests are the recorded ones.
final class FlowReconstruction {
    /// A client.
    struct Player {
        /// By what its requests are known: a client that logs in again gets another session.
        var owners: Set<String>
        var app: ApplinClient
        /// When a page was loaded last, by its path.
        var loads: [String: Duration] = [:]
    }

    /// A way to explain a request.
    struct Explanation {
        struct Done {
            let step: ClientStep
            let screen: RecordedScreen
            /// The buttons before the step.
            let buttons: [String]
        }

        var app: ApplinClient
        /// Whose requests the client may have sent.
        var owners: Set<String>
        var done: [Done] = []
        var taken: [Int] = []
        var rules: Set<String> = []
        var remark: String?
        /// How far-fetched it is, from 0 on: the more steps without a request, the more.
        var doubt = 0
    }

    /// The most steps that were done without a request, one after the other.
    static let mostSilentSteps = 4
    /// The most steps that are tried to explain one request.
    static let mostTries = 400

    let traffic: RecordedTraffic
    /// The app as it was taken to be.
    let recorded: RecordedApp
    private(set) var players: [Player] = []
    private(set) var isExplained: [Bool]
    /// What pages lead to: nothing else can be the effect of a tap.
    let reachable: Set<String>

    /// What the test does.
    private(set) var scenes: [RecordedAction] = []
    /// The rules that the recorded backend broke in a step.
    private(set) var brokenRules: Set<String> = []
    /// How many requests no step explains.
    private(set) var unexplained = 0
    /// How many requests the clients made to show pictures and the like.
    private(set) var decorations = 0
    /// How many requests are not the app's.
    private(set) var foreign = 0
    /// How many pages were opened though nothing led to them.
    var leaps = 0
    /// How badly the recording is explained; 0 for wholly.
    var cost: Int { (unexplained + foreign) * 3 + leaps }
    /// - Parameter limit: from which cost on it gives up.
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

    // MARK: Whose request it is

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
            // Somebody else, who never logs in.
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
        // What the answer sets stays with the client.
        if let url = try? HTTPURL(RecordedTraffic.origin + exchange.url),
            !exchange.responseHeaders[values: .setCookie].isEmpty
        {
            let app = players[player].app.twin(over: RecordedTransport(traffic, open: [index]))
            let path = "/" + url.target.dropFirst(recorded.base.count)
            _ = try? await app.send(exchange.method, path, type: exchange.requestType, body: exchange.requestBody)
            players[player].app = app
        }
    }

    /// The clients that may have sent a request, the likeliest first.
    private func candidates(for index: Int) -> [Int] {
        // When the client is known by its session next.
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
        // Perhaps somebody who has logged out logs in again.
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

/// What a test sees of a client's screen.
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

/// What a test does, in its order.
enum RecordedAction {
    /// A step, why the client is thought to have done it where no tap explains it, and the screen after it.
    case step(player: Int, ClientStep, remark: String?, RecordedScreen, buttons: [String])
    /// A request that nothing explains.
    case request(player: Int, exchange: Int, remark: String)
}
