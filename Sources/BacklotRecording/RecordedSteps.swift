import Backlot
import BacklotMocks

/// Exchanges, sorted by the routes that they are about.
struct RecordedSteps {
    /// One exchange.
    struct Step {
        let exchange: RecordedExchange
        let response: RecordedResponse
        /// The index of its route.
        let route: Int
        /// Which client sent it; nil where that isn't known.
        let client: String?
        private(set) var request: RecordedRequest
        /// The request with what tells the client.
        private(set) var personal: RecordedRequest
        /// Whether it gives a client its credentials.
        let isLogIn: Bool

        /// Whether it may change what others respond.
        func isChange(isPage: Bool) -> Bool {
            response.session != .none || isLogIn || exchange.method != .get && !isPage && exchange.status < 400
        }

        mutating func forget(_ feature: RecordedRequest.Feature) {
            request.forget(feature)
            personal.forget(feature)
        }
    }

    /// What one file answers.
    struct Route: Equatable {
        let pattern: [PathPattern.Segment]
        let kind: RouteFileName.Kind

        /// The path below the folder, without kind and ending.
        var name: String { pattern.isEmpty ? "index" : PathFolding.names(pattern).joined(separator: "/") }
    }

    /// A request to a route.
    struct Key: Hashable {
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
                    response: RecordedResponse(exchange, clients),
                    route: number,
                    client: clients.clients[index],
                    request: request,
                    personal: personal,
                    isLogIn: clients.logIns.contains(index)
                )
            )
        }
        forgetClocks()
    }

    /// Takes out the times that requests of a route send, another one each time: they tell nothing.
    private mutating func forgetClocks() {
        for own in Dictionary(grouping: steps.indices, by: { steps[$0].route }).values where own.count > 1 {
            for feature in Set(own.flatMap { steps[$0].request.features.keys }) where feature.isOfContent {
                let values = own.compactMap { steps[$0].request.features[feature] }
                guard values.count > 1, Set(values).count == values.count, values.allSatisfy(\.isTime) else { continue }
                for index in own { steps[index].forget(feature) }
            }
        }
    }

    /// The shape of an answer that succeeded; nil for others.
    private static func shape(_ exchange: RecordedExchange, _ pages: PageFormat?) -> ResponseShape? {
        guard exchange.hasSucceeded else { return nil }
        guard let value = try? JSONValue(parsing: exchange.responseBody) else { return .body(exchange.responseType) }
        return ResponseShape(value, mark: pages?.mark)
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

    /// The routes that respond differently to one request with different credentials.
    private var personal: Set<Int> {
        var first: [Key: (credentials: [RecordedRequest.Feature: JSONValue], response: RecordedResponse)] = [:]
        var found: Set<Int> = []
        for step in steps {
            let own = (step.personal.credentials, step.response)
            let known = first[Key(route: step.route, request: step.request), default: own]
            first[Key(route: step.route, request: step.request)] = known
            if known.credentials != own.0, known.response != step.response { found.insert(step.route) }
        }
        return found
    }

    /// The resources that respond as was recorded.
    var resources: RecordedResources {
        // Where one response serves all, requests need not be told apart, unless they log in.
        var detailed: Set<Int> = []
        var responses: [Key: RecordedResponse] = [:]
        for step in steps {
            let key = Key(route: step.route, request: step.request.coarse)
            let former = responses.updateValue(step.response, forKey: key)
            if former ?? step.response != step.response || step.isLogIn { detailed.insert(step.route) }
        }
        // What needs a log-in depends on credentials, even if nobody came without any.
        var personal = self.personal.union(steps.filter { $0.response.status == 401 }.map(\.route))
        while true {
            let resources = RecordedResources(self, detailed: detailed, personal: personal)
            // Requests that change something are told apart, and so are the clients that see something else than others.
            guard !resources.movers.isSubset(of: detailed) || !resources.unexplained.isSubset(of: personal) else {
                return resources
            }
            detailed.formUnion(resources.movers)
            detailed.formUnion(resources.unexplained)
            personal.formUnion(resources.unexplained)
        }
    }
}

/// The resources of a recording: for each request that was told from others, its responses, and what moves it from one to another.
struct RecordedResources {
    /// One exchange.
    struct Event {
        let request: Int
        let response: Int
        let route: Int
        let client: Int
        /// Whether it may change resources.
        var isChange: Bool
    }

    let steps: RecordedSteps
    /// The requests that are told apart, by their numbers.
    let requests: [RecordedRequest]
    /// The route of each request.
    private let routes: [Int]
    let responses: [RecordedResponse]
    /// The numbers of the request and the answer of each step.
    private(set) var events: [Event]
    /// The states of each request's resource.
    private(set) var states: [ResourceStates] = []
    /// The routes whose requests move resources.
    private(set) var movers: Set<Int> = []
    /// The routes of which some requests have different responses though nothing says why.
    private(set) var unexplained: Set<Int> = []
    /// The number of segments with which all paths begin.
    private let base: Int

    /// Whether some resource has states.
    var haveStates: Bool { states.contains { $0.states.count > 1 || $0.states[0].responses.count > 1 } }

    /// A line for each route of which some requests have different responses though nothing says why.
    var notes: [String] {
        unexplained.sorted().map { index in
            let name = "/" + PathFolding.names(steps.routes[index].pattern).joined(separator: "/")
            return
                "\(name) answered the same request differently, and nothing that clients sent says why; the first answer is kept"
        }
    }

    /// - Parameters:
    ///   - detailed: the routes whose requests are told apart by all that they send.
    ///   - personal: those whose requests are also told apart by their credentials.
    init(_ steps: RecordedSteps, detailed: Set<Int>, personal: Set<Int>) {
        var requests = Numbering<RecordedSteps.Key>()
        var responses = Numbering<RecordedResponse>()
        var clients = Numbering<String?>()
        let names = Set(steps.steps.compactMap(\.client))
        events = steps.steps.map { step in
            var request = detailed.contains(step.route) ? step.request : step.request.coarse
            if personal.contains(step.route) { request.take(step.personal.credentials) }
            return Event(
                request: requests.number(of: RecordedSteps.Key(route: step.route, request: request)),
                response: responses.number(of: step.response),
                route: step.route,
                // Where there is one client, it has also sent what tells no client.
                client: clients.number(of: step.client ?? (names.count == 1 ? names.first : nil)),
                isChange: step.isChange(isPage: steps.routes[step.route].kind == .page)
            )
        }
        self.steps = steps
        self.requests = requests.elements.map(\.request)
        routes = requests.elements.map(\.route)
        self.responses = responses.elements
        let patterns = steps.routes.map { PathFolding.names($0.pattern) }
        let shared = (0..<(patterns.map(\.count).min() ?? 0)).prefix { index in
            patterns.allSatisfy { $0[index] == patterns[0][index] }
        }
        base = min(shared.count, max(0, (patterns.map(\.count).min() ?? 0) - 1))
        var timelines: [[Int]] = clients.elements.map { _ in [] }
        for (index, event) in events.enumerated() { timelines[event.client].append(index) }
        var own: [[Int: [Int]]] = requests.elements.map { _ in [:] }
        for (client, timeline) in timelines.enumerated() {
            for (place, index) in timeline.enumerated() {
                own[events[index].request][client, default: []].append(place)
            }
        }
        for (request, places) in own.enumerated() {
            let found = resource(request, places, timelines)
            states.append(found)
            if !found.isExplained { unexplained.insert(routes[request]) }
        }
    }

    /// What happened between two responses of a resource to one client.
    private struct Gap {
        /// The routes of the changes between them.
        let routes: Set<Int>
        /// The requests of the GETs between them that change nothing by themselves.
        let gets: Set<Int>
        let isChanged: Bool
    }

    /// The states of a request's resource.
    ///
    /// - Parameter places: where the request stands in the timelines of clients.
    private mutating func resource(
        _ request: Int,
        _ places: [Int: [Int]],
        _ timelines: [[Int]]
    ) -> ResourceStates {
        let sorted = places.sorted { $0.key < $1.key }
        let seen = sorted.map { client, places in places.map { events[timelines[client][$0]] } }
        let isSame = Set(seen.joined().map(\.response)).count == 1
        guard !isSame, let route = seen.first?.first?.route else {
            let events = seen.first?.first.map { [ResourceStates.Event.saw($0.response)] } ?? []
            return ResourceStates([events], isVolatile: false)
        }
        let gaps = sorted.flatMap { client, places in
            zip(places, places.dropFirst()).map { former, next in
                let between = timelines[client][(former + 1)..<next].map { events[$0] }
                return Gap(
                    routes: Set(between.filter(\.isChange).map(\.route)),
                    gets: Set(between.filter { !$0.isChange && steps.routes[$0.route].kind == .get }.map(\.request)),
                    isChanged: events[timelines[client][former]].response != events[timelines[client][next]].response
                )
            }
        }
        let isChange = seen.joined().contains(where: \.isChange)
        let movingGets = isChange ? [] : self.movingGets(gaps, route)
        let isVolatile =
            !isChange && gaps.contains { $0.isChanged && $0.routes.isEmpty && $0.gets.isDisjoint(with: movingGets) }
        let changes = self.movers(gaps, route, needsRelation: isVolatile || isChange)
        let lines = sorted.map { client, _ in
            timelines[client].flatMap { index -> [ResourceStates.Event] in
                let event = events[index]
                if event.request == request {
                    return [.saw(event.response)] + (isChange ? [.changed(request)] : [])
                }
                let isMover = event.isChange && changes.contains(event.route) || movingGets.contains(event.request)
                return isMover ? [.changed(event.request)] : []
            }
        }
        var states = ResourceStates(lines, isVolatile: isVolatile)
        let own = events.indices.filter { events[$0].request == request }
        if !states.isExplained, own.allSatisfy({ steps.steps[$0].isLogIn }) {
            // Who asks for a token is nobody yet: each gets the next one.
            let all = own.flatMap { [ResourceStates.Event.saw(events[$0].response), .changed(request)] }
            states = ResourceStates([all], isVolatile: false)
        }
        movers.formUnion(states.movers.filter { $0 != request }.map { routes[$0] })
        return states
    }

    /// The routes that change a resource: of those between two different responses the nearest ones, unless they also stand
    /// between equal ones.
    ///
    /// - Parameter needsRelation: whether only routes count that have to do with the resource, since it changes by itself, too.
    private func movers(_ gaps: [Gap], _ route: Int, needsRelation: Bool) -> Set<Int> {
        var movers: Set<Int> = []
        let innocent = gaps.filter { !$0.isChanged }.reduce(into: Set<Int>()) { $0.formUnion($1.routes) }
        for gap in gaps.filter(\.isChanged).sorted(by: { $0.routes.count < $1.routes.count })
        where gap.routes.isDisjoint(with: movers) {
            let suspects = gap.routes.subtracting(innocent)
            let routes = suspects.isEmpty ? gap.routes : suspects
            let most = routes.map { relation($0, route) }.max() ?? 0
            if needsRelation, most == 0 { continue }
            movers.formUnion(routes.filter { relation($0, route) == most })
        }
        return movers
    }

    /// The GETs that change a resource: those of related paths that stand between all different responses, and between no equal ones.
    private func movingGets(_ gaps: [Gap], _ route: Int) -> Set<Int> {
        let changed = gaps.filter { $0.isChanged && $0.routes.isEmpty }
        let same = gaps.filter { !$0.isChanged }.reduce(into: Set<Int>()) { $0.formUnion($1.gets) }
        guard let first = changed.first, gaps.contains(where: { !$0.isChanged }) else { return [] }
        return changed.reduce(first.gets) { $0.intersection($1.gets) }.subtracting(same).filter { request in
            guard let event = events.first(where: { $0.request == request }) else { return false }
            let responses = Set(events.lazy.filter { $0.request == request }.map(\.response))
            return responses.count == 1 && relation(event.route, route) > 1
        }
    }

    /// How much the paths of two routes have to do with each other: 3 where one begins with the other, 2 where they begin alike.
    private func relation(_ change: Int, _ route: Int) -> Int {
        let paths = [change, route].map { PathFolding.names(steps.routes[$0].pattern).dropFirst(base) }
        guard let first = paths[0].first, let other = paths[1].first else { return 1 }
        let isPrefix = zip(paths[0], paths[1]).allSatisfy { $0 == $1 || $0.hasPrefix("[") || $1.hasPrefix("[") }
        if isPrefix { return 3 }
        // An order and the orders.
        let (short, long) = first.utf8.count < other.utf8.count ? (first, other) : (other, first)
        return first == other || short.utf8.count > 2 && long.hasPrefix(short) ? 2 : 0
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

extension JSONValue {
    /// Whether it is a time: as ISO 8601 writes it, or in seconds or milliseconds since 1970, of this century.
    fileprivate var isTime: Bool {
        guard let text = string ?? number.map({ JSONValue.number($0).description }) else { return false }
        if let number = Double(text) {
            return (1e9..<4e9).contains(number) || (1e12..<4e12).contains(number)
        }
        return text.prefixMatch(of: #/20\d\d-\d\d-\d\dT\d\d:\d\d/#) != nil
    }
}
