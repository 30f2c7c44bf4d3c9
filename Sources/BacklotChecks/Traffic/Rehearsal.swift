internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import HTTPTypes

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
    }
}

/// What a test does, in its order.
enum RecordedScene {
    /// A step, why the client is thought to have done it where no tap explains it, and the screen after it.
    case step(player: Int, ClientStep, remark: String?, RecordedScreen, buttons: [String])
    /// A request that nothing explains.
    case request(player: Int, exchange: Int, remark: String)
}

/// Finds out what the people did whose clients' requests were recorded: headless clients get the recorded answers, and of all that
/// can be done on their screens, that is done whose requests are the recorded ones.
final class Rehearsal {
    /// A client.
    private struct Player {
        /// By what its requests are known: a client that logs in again gets another session.
        var owners: Set<String>
        var app: ApplinClient
        /// When a page was loaded last, by its path.
        var loads: [String: Duration] = [:]
    }

    /// A way to explain a request.
    private struct Explanation {
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
    private static let mostSilentSteps = 4
    /// The most steps that are tried to explain one request.
    private static let mostTries = 400

    private let traffic: RecordedTraffic
    private let base: String
    private let firstPage: String
    private var players: [Player] = []
    private var isExplained: [Bool]
    /// What pages lead to: nothing else can be the effect of a tap.
    private let reachable: Set<String>

    /// What the test does.
    private(set) var scenes: [RecordedScene] = []
    /// The rules that the recorded backend broke in a step.
    private(set) var brokenRules: Set<String> = []
    /// How many requests no step explains.
    private(set) var unexplained = 0
    /// How many requests the clients made to show pictures and the like.
    private(set) var decorations = 0
    /// How many requests are not the app's.
    private(set) var foreign = 0
    /// How many pages were opened though nothing led to them.
    private(set) var leaps = 0
    /// How badly the recording is explained; 0 for wholly.
    var cost: Int { (unexplained + foreign) * 3 + leaps }
    /// - Parameters:
    ///   - base: the path of the app's base URL.
    ///   - firstPage: the page that clients begin with after a log-out.
    ///   - limit: from which cost on it gives up.
    init(_ traffic: RecordedTraffic, base: String, firstPage: String, below limit: Int) async throws {
        self.traffic = traffic
        self.base = base
        self.firstPage = firstPage
        isExplained = Array(repeating: false, count: traffic.exchanges.count)
        reachable = traffic.targets(namedBelow: base)
        for owner in traffic.owners {
            guard let owner, !players.contains(where: { $0.owners.contains(owner) }) else { continue }
            players.append(Player(owners: [owner], app: try newClient()))
        }
        if players.isEmpty { players.append(Player(owners: [], app: try newClient())) }
        for index in traffic.exchanges.indices where !isExplained[index] && cost < limit { try await explain(index) }
    }

    private func newClient() throws -> ApplinClient {
        var configuration = ApplinClientConfiguration()
        configuration.firstPage = firstPage
        configuration.failingSeverity = nil
        return try ApplinClient(
            url: RecordedTraffic.origin + base,
            transport: RecordedTransport(traffic, open: []),
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
        guard traffic.targets[index].hasPrefix(base) else {
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
            let path = "/" + url.target.dropFirst(base.count)
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
        for (offset, done) in way.done.enumerated() {
            let isLast = offset == way.done.count - 1
            scenes.append(
                .step(player: player, done.step, remark: isLast ? way.remark : nil, done.screen, buttons: done.buttons)
            )
        }
    }

    // MARK: Ways

    /// Does a step on a copy of the client, after the entries that it takes; nil where that is not possible, or something is
    /// asked for that wasn't recorded.
    private func attempt(_ step: ClientStep, _ way: Explanation) async -> Explanation? {
        let (plain, play) = await run([step], way)
        if let plain, !play.hasMissed { return plain }
        guard let wanted = play.wanted else { return nil }
        let entries = way.app.entries(for: wanted)
        guard !entries.isEmpty else { return nil }
        let (filled, second) = await run(entries + [step], way)
        return second.hasMissed ? nil : filled
    }

    private func run(
        _ steps: [ClientStep],
        _ way: Explanation
    ) async -> (Explanation?, RecordedTransport.Play) {
        let open = traffic.exchanges.indices.filter { index in
            !isExplained[index] && !way.taken.contains(index)
                && traffic.owners[index].map(way.owners.contains) != false
        }
        let transport = RecordedTransport(traffic, open: open)
        let app = way.app.twin(over: transport)
        var result = way
        result.app = app
        for step in steps {
            let buttons = app.buttons
            do {
                try await step.perform(on: app)
            } catch {
                return (nil, transport.play)
            }
            result.done.append(Explanation.Done(step: step, screen: RecordedScreen(app), buttons: buttons))
            result.rules.formUnion(app.findingsOfStep.filter { $0.severity == .error }.map(\.rule))
        }
        let play = transport.play
        result.taken += play.taken
        return (result, play)
    }

    private func beginning(_ index: Int, _ player: Int) -> Explanation {
        let owners = players[player].owners.union([traffic.owners[index]].compactMap(\.self))
        return Explanation(app: players[player].app, owners: owners)
    }

    /// The shortest way to a request by what can be touched: steps without requests, and then one with it.
    private func way(to index: Int, _ player: Int) async -> Explanation? {
        let start = beginning(index, player)
        guard !start.app.stack.isEmpty else { return nil }
        if isRefreshDue(index, player), let way = await refresh(index, start) { return way }
        if let way = await restart(index, start) { return way }
        var seen: Set<String> = [start.app.situation]
        var waiting = [start]
        var tries = 0
        let isReachable =
            reachable.contains(traffic.targets[index]) || start.app.stack.contains(pagePath(index))
            || pagePath(index) == firstPage
        while isReachable, !waiting.isEmpty, tries < Self.mostTries {
            let from = waiting.removeFirst()
            var best: (way: Explanation, fit: Int)?
            for step in from.app.choices {
                tries += 1
                guard var way = await attempt(step, from) else { continue }
                if way.taken.first == index {
                    way.doubt = from.done.count * 2
                    let fit = fit(way)
                    if fit > best?.fit ?? .min { best = (way, fit) }
                } else if way.taken.isEmpty, from.done.count < Self.mostSilentSteps,
                    seen.insert(way.app.situation).inserted
                {
                    waiting.append(way)
                }
            }
            if let best { return best.way }
        }
        if let way = await typed(index, start) { return way }
        if var way = await refresh(index, start) {
            way.doubt = 6
            return way
        }
        if var way = await attempt(.pullToRefresh, start), way.taken.contains(index) {
            way.doubt = 5
            return way
        }
        return nil
    }

    /// How well the requests of a way are those that were recorded one after the other: how many they are, or less than 0 where
    /// others of the client lie between them.
    private func fit(_ way: Explanation) -> Int {
        guard let first = way.taken.min(), let last = way.taken.max() else { return 0 }
        let between = (first...last).count { index in
            !isExplained[index] && !way.taken.contains(index) && !traffic.isDecoration(index)
                && traffic.owners[index].map(way.owners.contains) == true
        }
        return between == 0 ? way.taken.count : -between
    }

    /// The app was started again, and loads all pages of its stack, the visible one first.
    private func restart(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard traffic.wantsPage(index), start.app.stack.count > 1, start.app.path == pagePath(index),
            var way = await attempt(.relaunch(keepsStack: true), start), way.taken.first == index, fit(way) > 1
        else { return nil }
        way.remark = "The app was started again."
        return way
    }

    /// Whether a page that refreshes itself was loaded so long ago that it is time.
    private func isRefreshDue(_ index: Int, _ player: Int) -> Bool {
        guard let last = players[player].loads[traffic.targets[index]], let wait = players[player].app.timeToRefresh
        else { return false }
        let gap = traffic.exchanges[index].began - last
        return gap >= .milliseconds(900) && gap * 10 >= wait * 8
    }

    /// The client does it by itself, when it is time.
    private func refresh(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard let wait = start.app.timeToRefresh, var way = await attempt(.wait(wait), start),
            way.taken.contains(index)
        else { return nil }
        way.remark = "The client refreshes the page by itself."
        return way
    }

    /// An entry after which the client refreshes the page.
    private func typed(_ index: Int, _ start: Explanation) async -> Explanation? {
        guard start.app.touchable?.widgets.contains(where: { $0.pollDelay != nil }) == true,
            let variables = traffic.bodies[index]?.object
        else { return nil }
        let entries = start.app.entries(for: variables)
        guard !entries.isEmpty, let entered = await run(entries, start).0, let wait = entered.app.timeToRefresh
        else { return nil }
        let (result, play) = await run([.wait(wait)], entered)
        guard var way = result, !play.hasMissed, way.taken.contains(index) else { return nil }
        way.remark = "The client refreshes the page after an entry."
        return way
    }

    private func launch(_ index: Int, _ player: Int) async -> Explanation? {
        let path = pagePath(index)
        let step = ClientStep.launch(path == firstPage ? nil : path)
        guard traffic.wantsPage(index), var way = await attempt(step, beginning(index, player)),
            way.taken.first == index
        else { return nil }
        way.doubt = 1
        return way
    }

    /// The app was started again, or a link led into it.
    private func leap(to index: Int, _ player: Int) async -> Explanation? {
        guard traffic.wantsPage(index) else { return nil }
        let start = beginning(index, player)
        for keepsStack in [true, false] {
            if var way = await attempt(.relaunch(keepsStack: keepsStack), start), way.taken.first == index {
                way.remark = "The app was started again."
                return way
            }
        }
        guard traffic.isPage(index), var way = await attempt(.open(pagePath(index)), start),
            way.taken.contains(index)
        else { return nil }
        leaps += 1
        way.remark = "Nothing on the screen leads there: the page is opened as by a link into the app."
        return way
    }

    /// The path as pages name it.
    private func pagePath(_ index: Int) -> String { "/" + traffic.targets[index].dropFirst(base.count) }
}
