import Backlot
import BacklotMocks

/// Exchanges, sorted by the routes that they are about.
struct RecordedSteps {
    /// One exchange.
    struct Step {
        let exchange: RecordedExchange
        let answer: RecordedAnswer
        /// The index of its route.
        let route: Int
        /// Which client sent it; nil where that isn't known.
        let client: String?
        let request: RecordedRequest
        /// The request with what tells the client.
        let personal: RecordedRequest
    }

    /// What one file answers.
    struct Route: Equatable {
        let pattern: [PathPattern.Segment]
        let kind: RouteFileName.Kind

        /// The path below the folder, without kind and ending.
        var name: String { pattern.isEmpty ? "index" : PathFolding.names(pattern).joined(separator: "/") }
    }

    /// A request to a route.
    fileprivate struct Key: Hashable {
        let route: Int
        let request: RecordedRequest
    }

    let folding: PathFolding
    private(set) var steps: [Step] = []
    private(set) var routes: [Route] = []

    init(_ exchanges: [RecordedExchange], pages: PageFormat?, options: RouteRecording.Options) {
        let clients = RecordedClients(exchanges)
        let segments = exchanges.map { PathSegments.ofMock(String($0.path)) }
        folding = PathFolding(
            zip(exchanges, segments).map { exchange, segments in
                PathFolding.Path(method: exchange.method, segments: segments, shape: Self.shape(exchange, pages))
            },
            folds: options.folds
        )
        // Paths that only errors answer are folded with their neighbours.
        let names = folding.patterns.map(PathFolding.names)
        let kinds = Dictionary(grouping: exchanges.indices) { names[$0] }
            .mapValues { own in Self.kinds(own.map { exchanges[$0] }, pages) }
        for (index, exchange) in exchanges.enumerated() {
            let pattern = folding.patterns[index]
            let usual = RouteFileName.Kind(rawValue: exchange.method.rawValue.lowercased())
            guard let kind = kinds[names[index]]?[exchange.method] ?? usual else { continue }
            let request = RecordedRequest(
                exchange,
                segments[index],
                pattern,
                fixed: folding.unnamable[index],
                isPage: kind == .page,
                captures: options.captures
            )
            var personal = request
            personal.addClient(exchange, clients)
            let route = Route(pattern: pattern, kind: kind)
            let number = routes.firstIndex(of: route) ?? routes.count
            if number == routes.count { routes.append(route) }
            steps.append(
                Step(
                    exchange: exchange,
                    answer: RecordedAnswer(exchange),
                    route: number,
                    client: clients.clients[index],
                    request: request,
                    personal: personal
                )
            )
        }
    }

    /// The shape of an answer that succeeded; nil for others.
    private static func shape(_ exchange: RecordedExchange, _ pages: PageFormat?) -> AnswerShape? {
        guard exchange.hasSucceeded else { return nil }
        guard let value = try? JSONValue(parsing: exchange.responseBody) else { return .body(exchange.responseType) }
        return AnswerShape(value, mark: pages?.mark)
    }

    /// The kinds of files for methods of a route that have other ones than their own.
    private static func kinds(
        _ exchanges: [RecordedExchange],
        _ pages: PageFormat?
    ) -> [HTTPRequest.Method: RouteFileName.Kind] {
        guard let pages else { return [:] }
        let both = exchanges.filter { $0.method == .get || $0.method == .post }
        let succeeded = both.filter(\.hasSucceeded)
        // Clients of pages post their variables.
        guard !succeeded.isEmpty, both.allSatisfy({ $0.method == .get || $0.postsVariables }) else { return [:] }
        if succeeded.allSatisfy({ $0.isPage(pages) }) { return [.get: .page, .post: .page] }
        let isRPC = succeeded.allSatisfy { $0.method == .get || $0.responseBody.isEmpty }
        return isRPC ? [.post: .rpc] : [:]
    }

    /// The routes that answer one request differently for different credentials. These need no states: they tell clients apart.
    private var personal: Set<Int> {
        var answers: [Key: (credentials: String, answer: RecordedAnswer)] = [:]
        var found: Set<Int> = []
        for step in steps {
            guard let credentials = step.exchange.requestHeaders[.authorization] else { continue }
            let known = answers[Key(route: step.route, request: step.request), default: (credentials, step.answer)]
            answers[Key(route: step.route, request: step.request)] = known
            if known.credentials != credentials, known.answer != step.answer { found.insert(step.route) }
        }
        return found
    }

    /// The machine that answers as was recorded.
    var machine: RecordedMachine {
        // Where one answer serves all, requests need not be told apart, unless they log in.
        var detailed: Set<Int> = []
        var answers: [Key: RecordedAnswer] = [:]
        for step in steps {
            let former = answers.updateValue(step.answer, forKey: Key(route: step.route, request: step.request.coarse))
            if former ?? step.answer != step.answer { detailed.insert(step.route) }
            if case .logIn = step.answer.session { detailed.insert(step.route) }
        }
        var personal = self.personal
        var machine = RecordedMachine(self, detailed: detailed, personal: personal)
        if machine.unexplained.isEmpty { return machine }
        // What changes states must be told apart as well.
        detailed = Set(routes.indices)
        repeat {
            machine = RecordedMachine(self, detailed: detailed, personal: personal)
            if machine.unexplained.isSubset(of: personal) { return machine }
            personal.formUnion(machine.unexplained)
        } while true
    }
}

/// The states of a recording, and the answers of its routes in them.
struct RecordedMachine {
    let steps: RecordedSteps
    let states: RecordedStates
    /// The requests that are told apart, by their numbers.
    let requests: [RecordedRequest]
    let answers: [RecordedAnswer]
    /// The numbers of the request and the answer of each step.
    let events: [RecordedStates.Event]
    /// The routes of which some requests are answered differently though nothing tells why.
    let unexplained: Set<Int>

    /// A line for each route of which some requests are answered differently though nothing tells why.
    var notes: [String] {
        unexplained.sorted().map { index in
            let name = "/" + PathFolding.names(steps.routes[index].pattern).joined(separator: "/")
            return
                "\(name) answered the same request differently, and nothing that clients sent says why; the first answer is kept"
        }
    }

    /// - Parameters:
    ///   - detailed: the routes whose requests are told apart by all that they send.
    ///   - personal: those whose requests are also told apart by their clients.
    init(_ steps: RecordedSteps, detailed: Set<Int>, personal: Set<Int>) {
        var requests = Numbering<RecordedSteps.Key>()
        var answers = Numbering<RecordedAnswer>()
        var clients = Numbering<String?>()
        var timelines: [[[RecordedStates.Event]]] = []
        events = steps.steps.map { step in
            let isPersonal = personal.contains(step.route)
            let request =
                isPersonal ? step.personal : detailed.contains(step.route) ? step.request : step.request.coarse
            let isPage = steps.routes[step.route].kind == .page
            let event = RecordedStates.Event(
                request: requests.number(of: RecordedSteps.Key(route: step.route, request: request)),
                answer: answers.number(of: step.answer),
                isChange: step.answer.session != .none
                    || step.exchange.method != .get && !isPage && step.exchange.status < 400,
                title: step.exchange.title
            )
            let client = clients.number(of: step.client)
            if client == timelines.count { timelines.append([[]]) }
            timelines[client][timelines[client].count - 1].append(event)
            // After a log-out a client begins anew: it has no session any more.
            if step.answer.session == .logOut { timelines[client].append([]) }
            return event
        }
        self.steps = steps
        self.requests = requests.elements.map(\.request)
        self.answers = answers.elements
        states = RecordedStates(timelines.flatMap(\.self).filter { !$0.isEmpty })
        unexplained = Set(states.unexplained.map { requests.elements[$0].route })
    }
}

extension RecordedExchange {
    fileprivate var hasSucceeded: Bool { (200...299).contains(status) }

    /// Whether the body can be a page's variables: nothing, or an object.
    fileprivate var postsVariables: Bool {
        requestBody.isEmpty || (try? JSONValue(parsing: requestBody))?.object != nil
    }

    /// Whether the answer is a page.
    fileprivate func isPage(_ pages: PageFormat) -> Bool {
        (try? JSONValue(parsing: responseBody))?[pages.envelope]?[pages.mark]?.string != nil
    }
}

/// The states in which requests were answered differently: a machine that every client runs by itself, from `Started`.
///
/// It is found by simulation. Where one client gets two answers to one request, a request between them must have changed its
/// state: the last one that isn't a plain GET, or else the earlier of the two itself.
struct RecordedStates {
    /// One exchange of a client.
    struct Event {
        let request: Int
        let answer: Int
        /// Whether it may change what others answer.
        let isChange: Bool
        /// For the state's name.
        let title: String
    }

    private struct Edge: Hashable {
        let state: Int
        let request: Int
    }

    /// The names of the states. The first is that in which all begin.
    private(set) var names = [ScenarioStates.started]
    /// In each state, the answers to requests.
    private(set) var answers: [[Int: Int]] = [[:]]
    private var edges: [Edge: Int] = [:]
    /// The requests that were answered differently though nothing tells why.
    private(set) var unexplained: Set<Int> = []

    /// - Parameter timelines: for each client, what it did, in order.
    init(_ timelines: [[Event]]) {
        var cuts = timelines.map(Self.cuts)
        // Each run ends, or adds a cut or an edge, of which there are as many as events at most.
        let most = 2 * timelines.reduce(0) { $0 + $1.count } + 1
        for _ in 0..<most where !run(timelines, &cuts) { continue }
    }

    /// The state after a request in a state; nil where it stays.
    func next(_ state: Int, _ request: Int) -> Int? { edges[Edge(state: state, request: request)] }

    /// Runs all clients through the states.
    ///
    /// - Returns: false where a cut or an edge was added that concerns what was run before, so that all must run again.
    private mutating func run(_ timelines: [[Event]], _ cuts: inout [Set<Int>]) -> Bool {
        answers = Array(repeating: [:], count: names.count)
        unexplained = []
        for (client, events) in timelines.enumerated() {
            var state = 0
            var entered = 0
            for (index, event) in events.enumerated() {
                let known = answers[state][event.request]
                if let known, known != event.answer {
                    if let cut = (entered..<index).last(where: { events[$0].isChange }),
                        !cuts[client].contains(cut)
                    {
                        Self.add(cut, to: &cuts[client], events)
                        return false
                    }
                    unexplained.insert(event.request)
                } else {
                    answers[state][event.request] = event.answer
                }
                let edge = Edge(state: state, request: event.request)
                if cuts[client].contains(index), edges[edge] == nil {
                    edges[edge] = names.count
                    names.append("\(names.count) after \(event.title)")
                    answers.append([:])
                    // A request that was seen here before should have left the state, too.
                    if known != nil { return false }
                }
                if let next = edges[edge] { (state, entered) = (next, index + 1) }
            }
        }
        return true
    }

    /// The exchanges after which a client's state must be another one.
    private static func cuts(_ events: [Event]) -> Set<Int> {
        var cuts: Set<Int> = []
        var last: [Int: Int] = [:]
        for (index, event) in events.enumerated() {
            defer { last[event.request] = index }
            guard let earlier = last[event.request], events[earlier].answer != event.answer,
                !cuts.contains(where: { (earlier..<index).contains($0) })
            else { continue }
            let change = ((earlier + 1)..<max(index, earlier + 1)).last { events[$0].isChange }
            add(change ?? earlier, to: &cuts, events)
        }
        return cuts
    }

    /// Adds a cut. The same request changes the state earlier, too, unless another state lies between.
    private static func add(_ cut: Int, to cuts: inout Set<Int>, _ events: [Event]) {
        cuts.insert(cut)
        for index in (0..<cut).reversed() {
            if cuts.contains(index) { return }
            if events[index].request == events[cut].request { cuts.insert(index) }
        }
    }
}
