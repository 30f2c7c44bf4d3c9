import BacklotMocks

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
