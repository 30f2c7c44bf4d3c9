import Backlot
import BacklotJSON
import BacklotMocks
import HTTPTypes

/// Exchanges, sorted by the routes that they are about.
struct RecordedSteps {
    /// One exchange.
    struct Step {
        let exchange: RecordedExchange
        let answer: RecordedAnswer
        let request: RecordedRequest
        /// The request without what no answer should depend on.
        let coarse: RecordedRequest
        /// The same with what tells the client.
        let personal: RecordedRequest
    }

    /// What one file answers.
    struct Route {
        let pattern: [PathPattern.Segment]
        let kind: RouteFileName.Kind
        /// The indices of its steps.
        var steps: [Int]
    }

    let folding: PathFolding
    private(set) var steps: [Step] = []
    private(set) var routes: [Route] = []
    let clients: RecordedClients

    init(
        _ exchanges: [RecordedExchange],
        _ clients: RecordedClients,
        pages: PageFormat?,
        options: RouteRecording.Options
    ) {
        self.clients = clients
        let segments = exchanges.map { PathSegments.ofMock(String($0.path)) }
        let arePages = exchanges.map { pages?.isPage($0) ?? false }
        folding = PathFolding(
            zip(exchanges, segments).map { exchange, segments in
                PathFolding.Path(
                    method: exchange.method,
                    segments: segments,
                    shape: (200...299).contains(exchange.status) ? Self.shape(exchange, pages) : nil
                )
            },
            folds: options.folds
        )
        // Paths that only errors answer are folded with their neighbours.
        var kinds: [String: [HTTPRequest.Method: RouteFileName.Kind]] = [:]
        let names = folding.patterns.map { "/" + PathFolding.names($0).joined(separator: "/") }
        for name in Set(names) {
            let own = exchanges.indices.filter { names[$0] == name }
            kinds[name] = Self.kinds(own.map { (exchanges[$0], arePages[$0]) }, hasPages: pages != nil)
        }
        for (index, exchange) in exchanges.enumerated() {
            let pattern = folding.patterns[index]
            guard let kind = kinds[names[index]]?[exchange.method] else { continue }
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
            steps.append(
                Step(
                    exchange: exchange,
                    answer: RecordedAnswer(exchange),
                    request: request,
                    coarse: request.coarse,
                    personal: personal
                )
            )
            let step = steps.count - 1
            if let route = routes.firstIndex(where: { $0.pattern == pattern && $0.kind == kind }) {
                routes[route].steps.append(step)
            } else {
                routes.append(Route(pattern: pattern, kind: kind, steps: [step]))
            }
        }
        stepClients = clients.clients
    }

    /// The client of each step.
    private let stepClients: [String?]

    private static func shape(_ exchange: RecordedExchange, _ pages: PageFormat?) -> AnswerShape {
        guard let value = try? JSONValue(parsing: exchange.responseBody) else { return .body(exchange.responseType) }
        return AnswerShape(value, mark: pages?.mark)
    }

    /// The kind of file for each method of a route.
    private static func kinds(
        _ exchanges: [(exchange: RecordedExchange, isPage: Bool)],
        hasPages: Bool
    ) -> [HTTPRequest.Method: RouteFileName.Kind] {
        var kinds: [HTTPRequest.Method: RouteFileName.Kind] = [
            .get: .get, .post: .post, .put: .put, .patch: .patch, .delete: .delete,
        ]
        guard hasPages else { return kinds }
        let both = exchanges.filter { $0.exchange.method == .get || $0.exchange.method == .post }
        // Clients of pages post their variables.
        guard both.allSatisfy({ $0.exchange.method == .get || $0.exchange.postsVariables }) else { return kinds }
        let succeeded = both.filter { (200...299).contains($0.exchange.status) }
        guard !succeeded.isEmpty else { return kinds }
        if succeeded.allSatisfy(\.isPage) {
            kinds[.get] = .page
            kinds[.post] = .page
        } else if succeeded.filter({ $0.exchange.method == .post }).allSatisfy(\.exchange.responseBody.isEmpty) {
            kinds[.post] = .rpc
        }
        return kinds
    }

    /// The routes that answer one request differently for different credentials. These need no states: they tell clients apart.
    private var personal: Set<Int> {
        Set(
            routes.indices.filter { route in
                var answers: [RecordedRequest: (credentials: String, answer: RecordedAnswer)] = [:]
                return routes[route].steps.map { steps[$0] }.contains { step in
                    guard let credentials = step.exchange.requestHeaders[.authorization] else { return false }
                    let known = answers[step.request]
                    answers[step.request] = known ?? (credentials, step.answer)
                    return known.map { $0.credentials != credentials && $0.answer != step.answer } ?? false
                }
            }
        )
    }

    /// The machine that answers as was recorded.
    var machine: RecordedMachine {
        var detailed: Set<Int> = []
        for (index, route) in routes.enumerated() {
            // Where one answer serves all, requests need not be told apart, unless they log in.
            var answers: [RecordedRequest: RecordedAnswer] = [:]
            for step in route.steps.map({ steps[$0] }) {
                if let known = answers[step.coarse], known != step.answer { detailed.insert(index) }
                if case .logIn = step.answer.session { detailed.insert(index) }
                answers[step.coarse] = step.answer
            }
        }
        var personal = self.personal
        var machine = RecordedMachine(self, clients: stepClients, detailed: detailed, personal: personal)
        if machine.unexplained.isEmpty { return machine }
        // What changes states must be told apart as well.
        machine = RecordedMachine(self, clients: stepClients, detailed: Set(routes.indices), personal: personal)
        while !machine.unexplained.isSubset(of: personal) {
            personal.formUnion(machine.unexplained)
            machine = RecordedMachine(self, clients: stepClients, detailed: Set(routes.indices), personal: personal)
        }
        return machine
    }
}

/// The states of a recording, and the answers of its routes in them.
struct RecordedMachine {
    let states: RecordedStates
    /// The requests that are told apart, by their numbers.
    private(set) var requests: [RecordedRequest] = []
    private(set) var answers: [RecordedAnswer] = []
    /// The request of each step.
    private(set) var requestOfStep: [Int] = []
    /// The routes of which some requests are answered differently though nothing tells why.
    private(set) var unexplained: Set<Int> = []
    private(set) var notes: [String] = []
    let steps: RecordedSteps

    /// - Parameters:
    ///   - detailed: the routes whose requests are told apart by all that they send.
    ///   - personal: those whose requests are also told apart by their clients.
    init(_ steps: RecordedSteps, clients: [String?], detailed: Set<Int>, personal: Set<Int>) {
        struct Key: Hashable {
            let route: Int
            let request: RecordedRequest
        }
        self.steps = steps
        var routeOfStep = [Int](repeating: 0, count: steps.steps.count)
        for (index, route) in steps.routes.enumerated() {
            for step in route.steps { routeOfStep[step] = index }
        }
        var known: [Key: Int] = [:]
        var knownAnswers: [RecordedAnswer: Int] = [:]
        var routes: [Int] = []
        var timelines: [(client: String?, events: [RecordedStates.Event])] = []
        for (index, step) in steps.steps.enumerated() {
            let route = routeOfStep[index]
            let request =
                personal.contains(route) ? step.personal : detailed.contains(route) ? step.request : step.coarse
            let key = Key(route: route, request: request)
            let number = known[key] ?? requests.count
            if known[key] == nil {
                known[key] = number
                requests.append(request)
                routes.append(route)
            }
            requestOfStep.append(number)
            let answer = knownAnswers[step.answer] ?? answers.count
            if knownAnswers[step.answer] == nil {
                knownAnswers[step.answer] = answer
                answers.append(step.answer)
            }
            let isPage = steps.routes[route].kind == .page
            let event = RecordedStates.Event(
                request: number,
                answer: answer,
                isChange: step.answer.session != .none
                    || step.exchange.method != .get && !isPage && step.exchange.status < 400,
                title: step.exchange.title
            )
            let client = clients[index]
            if let place = timelines.firstIndex(where: { $0.client == client }) {
                timelines[place].events.append(event)
            } else {
                timelines.append((client, [event]))
            }
        }
        // After a log-out a client begins anew: it has no session any more.
        let answers = answers
        let pieces = timelines.flatMap { timeline in
            var pieces: [[RecordedStates.Event]] = [[]]
            for event in timeline.events {
                pieces[pieces.count - 1].append(event)
                if answers[event.answer].session == .logOut { pieces.append([]) }
            }
            return pieces.filter { !$0.isEmpty }
        }
        states = RecordedStates(pieces)
        unexplained = Set(states.unexplained.map { routes[$0] })
        notes = unexplained.sorted().map { index in
            let name = "/" + PathFolding.names(steps.routes[index].pattern).joined(separator: "/")
            return
                "\(name) answered the same request differently, and nothing that clients sent says why; the first answer is kept"
        }
    }
}

extension RecordedExchange {
    /// Whether the body can be a page's variables: nothing, or an object.
    fileprivate var postsVariables: Bool {
        requestBody.isEmpty || (try? JSONValue(parsing: requestBody))?.object != nil
    }
}

extension PageFormat {
    /// Whether an answer is a page.
    fileprivate func isPage(_ exchange: RecordedExchange) -> Bool {
        guard let document = try? JSONValue(parsing: exchange.responseBody) else { return false }
        return document[envelope]?[mark]?.string != nil
    }
}
