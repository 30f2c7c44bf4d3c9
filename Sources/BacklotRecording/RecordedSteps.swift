import Backlot
import BacklotMocks

/// The exchanges of a recording, each with its route.
struct RecordedSteps {
    /// One exchange.
    struct Step {
        let exchange: RecordedExchange
        let response: RecordedResponse
        /// The index of the route.
        let route: Int
        /// The client that sent it; nil if unknown.
        let client: String?
        private(set) var request: RecordedRequest
        /// The request, with features that identify the client.
        private(set) var personal: RecordedRequest
        /// Whether the response gives the client its credentials.
        let isLogIn: Bool

        /// Whether the exchange may change the responses to other requests.
        func isChange(isPage: Bool) -> Bool {
            response.session != .none || isLogIn || exchange.method != .get && !isPage && exchange.status < 400
        }

        mutating func forget(_ feature: RecordedRequest.Feature) {
            request.forget(feature)
            personal.forget(feature)
        }
    }

    /// The route of a file.
    struct Route: Equatable {
        let pattern: [PathPattern.Segment]
        let kind: RouteFileName.Kind

        /// The file's path in the folder, without kind and extension.
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
        let senders = clients.senders
        let segments = exchanges.map { PathSegments.ofMock(String($0.path)) }
        folding = PathFolding(
            zip(exchanges, segments).map { exchange, segments in
                PathFolding.Path(method: exchange.method, segments: segments, shape: Self.shape(exchange, pages))
            },
            folds: options.folds
        )
        // Grouped by folded path, so that paths with errors only get the kind of their neighbours.
        let names = folding.patterns.map(PathFolding.names)
        let groups = Dictionary(grouping: exchanges.indices) { names[$0] }.mapValues { own in
            own.map { exchanges[$0] }.filter { !$0.opensWebSocket }
        }
        let kinds = groups.mapValues { Self.kinds($0, pages) }
        let mixed = groups.mapValues { own in
            let gets = own.filter { $0.method == .get && $0.hasSucceeded }
            return gets.contains(where: \.isStream) && !gets.allSatisfy(\.isStream)
        }
        for (index, exchange) in exchanges.enumerated() {
            let pattern = folding.patterns[index]
            let usual = RouteFileName.Kind(rawValue: exchange.method.rawValue.lowercased())
            let other = exchange.opensWebSocket ? .ws : kinds[names[index]]?[exchange.method]
            guard let kind = other ?? usual else { continue }
            let request = RecordedRequest(
                exchange,
                segments[index],
                pattern,
                fixed: folding.unnamable[index],
                isPage: kind == .page,
                mayStream: kind == .sse && mixed[names[index]] == true,
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
                    client: senders[index],
                    request: request,
                    personal: personal,
                    isLogIn: clients.logIns.contains(index)
                )
            )
        }
        forgetClocks()
    }

    /// Removes times that differ in each request to a route, because they don't tell requests apart.
    private mutating func forgetClocks() {
        for own in Dictionary(grouping: steps.indices, by: { steps[$0].route }).values where own.count > 1 {
            for feature in Set(own.flatMap { steps[$0].request.features.keys }) where feature.isOfContent {
                let values = own.compactMap { steps[$0].request.features[feature] }
                guard values.count > 1, Set(values).count == values.count, values.allSatisfy(\.isTime) else { continue }
                for index in own { steps[index].forget(feature) }
            }
        }
    }

    /// The shape of a successful response; nil for other responses.
    private static func shape(_ exchange: RecordedExchange, _ pages: PageFormat?) -> ResponseShape? {
        guard exchange.hasSucceeded else { return nil }
        if exchange.opensWebSocket { return .body("websocket") }
        guard let value = try? JSONValue(parsing: exchange.responseBody) else { return .body(exchange.responseType) }
        return ResponseShape(value, mark: pages?.mark)
    }

    /// The kinds of files for a route's methods, if they differ from the method's usual kind.
    private static func kinds(
        _ exchanges: [RecordedExchange],
        _ pages: PageFormat?
    ) -> [HTTPRequest.Method: RouteFileName.Kind] {
        let gets = exchanges.filter { $0.method == .get && $0.hasSucceeded }
        let streams = gets.filter(\.isStream)
        // A file of steps has no 200 without any.
        let hasEmpty = gets.contains { $0.status == 200 && $0.responseBody.isEmpty }
        if !streams.isEmpty, !hasEmpty, streams.allSatisfy({ RecordedEvents.steps($0.responseBody) != nil }) {
            return [.get: .sse]
        }
        guard let pages else { return [:] }
        let both = exchanges.filter { $0.method == .get || $0.method == .post }
        let succeeded = both.filter(\.hasSucceeded)
        // Clients of page-based protocols post their variables.
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

    /// The resources behind the recorded responses.
    var resources: RecordedResources {
        // A route with only one response needn't distinguish requests, unless they log in.
        var detailed: Set<Int> = []
        var responses: [Key: RecordedResponse] = [:]
        for step in steps {
            let key = Key(route: step.route, request: step.request.coarse)
            let former = responses.updateValue(step.response, forKey: key)
            if former ?? step.response != step.response || step.isLogIn { detailed.insert(step.route) }
        }
        // A route with a 401 depends on credentials, even if no request lacked them.
        var personal = self.personal.union(steps.filter { $0.response.status == 401 }.map(\.route))
        while true {
            let resources = RecordedResources(self, detailed: detailed, personal: personal)
            // Repeats with more detail: requests that change something are told apart, and so are clients with different responses.
            guard !resources.movers.isSubset(of: detailed) || !resources.unexplained.isSubset(of: personal) else {
                return resources
            }
            detailed.formUnion(resources.movers)
            detailed.formUnion(resources.unexplained)
            personal.formUnion(resources.unexplained)
        }
    }
}

/// The resources of a recording: the responses to each distinguished request, and the requests that change them.
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
    /// The distinguished requests, by number.
    let requests: [RecordedRequest]
    /// The route of each request.
    private let routes: [Int]
    let responses: [RecordedResponse]
    /// The numbers of each step's request and response.
    private(set) var events: [Event]
    /// The states of each request's resource.
    private(set) var states: [ResourceStates] = []
    /// The routes with requests that change resources.
    private(set) var movers: Set<Int> = []
    /// The routes with unexplained differences between responses to the same request.
    private(set) var unexplained: Set<Int> = []
    /// The number of leading segments that all paths share.
    private let base: Int

    /// Whether any resource has more than one state or response.
    var haveStates: Bool { states.contains { $0.states.count > 1 || $0.states[0].responses.count > 1 } }

    /// A line for each route with unexplained differences between responses to the same request.
    var notes: [String] {
        unexplained.sorted().map { index in
            let name = "/" + PathFolding.names(steps.routes[index].pattern).joined(separator: "/")
            return
                "\(name) responded to the same request differently, without a visible cause; the first response is kept"
        }
    }

    /// - Parameters:
    ///   - detailed: the routes that distinguish requests by their whole content.
    ///   - personal: the routes that also distinguish requests by credentials.
    init(_ steps: RecordedSteps, detailed: Set<Int>, personal: Set<Int>) {
        var requests = Numbering<RecordedSteps.Key>()
        var responses = Numbering<RecordedResponse>()
        var clients = Numbering<String?>()
        events = steps.steps.map { step in
            var request = detailed.contains(step.route) ? step.request : step.request.coarse
            if personal.contains(step.route) { request.take(step.personal.credentials) }
            return Event(
                request: requests.number(of: RecordedSteps.Key(route: step.route, request: request)),
                response: responses.number(of: step.response),
                route: step.route,
                client: clients.number(of: step.client),
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

    /// The changes and requests between two responses of a resource to one client.
    private struct Gap {
        /// The routes of the changes between the two responses.
        let routes: Set<Int>
        /// The GET requests between the two responses that aren't changes.
        let gets: Set<Int>
        let isChanged: Bool
    }

    /// The states of a request's resource.
    ///
    /// - Parameter places: the positions of the request in the timelines of clients.
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
            // A client that requests a token has no identity yet: each such request gets the next token.
            let all = own.flatMap { [ResourceStates.Event.saw(events[$0].response), .changed(request)] }
            states = ResourceStates([all], isVolatile: false)
        }
        movers.formUnion(states.movers.filter { $0 != request }.map { routes[$0] })
        return states
    }

    /// The routes that change a resource: those with the most similar paths between two different responses. Routes that also occur
    /// between equal responses are chosen only if there are no others.
    ///
    /// - Parameter needsRelation: whether routes must be related to the resource, because it also changes by itself.
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

    /// The GET requests that change a resource. They occur between all different responses but never between equal ones, and their
    /// paths are related to the resource's.
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

    /// The relation of two routes' paths: 3 if one is a prefix of the other, 2 if they begin similarly.
    private func relation(_ change: Int, _ route: Int) -> Int {
        let paths = [change, route].map { PathFolding.names(steps.routes[$0].pattern).dropFirst(base) }
        guard let first = paths[0].first, let other = paths[1].first else { return 1 }
        let isPrefix = zip(paths[0], paths[1]).allSatisfy { $0 == $1 || $0.hasPrefix("[") || $1.hasPrefix("[") }
        if isPrefix { return 3 }
        // For example, an order and the orders.
        let (short, long) = first.utf8.count < other.utf8.count ? (first, other) : (other, first)
        return first == other || short.utf8.count > 2 && long.hasPrefix(short) ? 2 : 0
    }
}

extension RecordedExchange {
    fileprivate var hasSucceeded: Bool { (200...299).contains(status) || status == 101 }

    /// Whether the body can be a page's variables: empty, or an object.
    fileprivate var postsVariables: Bool {
        requestBody.isEmpty || (try? JSONValue(parsing: requestBody))?.object != nil
    }

    /// Whether the response is a stream of events.
    /// Whether it is a stream of events that clients accept (WHATWG HTML, section 9.2.2): its file has no other status.
    fileprivate var isStream: Bool { responseType == RecordedEvents.type && status == 200 }

    /// Whether the response is a page.
    fileprivate func isPage(_ pages: PageFormat) -> Bool {
        (try? JSONValue(parsing: responseBody))?[pages.envelope]?[pages.mark]?.string != nil
    }
}

extension JSONValue {
    /// Whether it is a time of this century: in ISO 8601, or in seconds or milliseconds since 1970.
    fileprivate var isTime: Bool {
        guard let text = string ?? number.map({ JSONValue.number($0).description }) else { return false }
        if let number = Double(text) {
            return (1e9..<4e9).contains(number) || (1e12..<4e12).contains(number)
        }
        return text.prefixMatch(of: #/20\d\d-\d\d-\d\dT\d\d:\d\d/#) != nil
    }
}
