/// The states of one resource of a recording: its responses, and the requests that change them. A value without I/O.
///
/// The states follow from what clients saw. A change before a different response leads to another state: to an existing one if
/// all later responses match it, otherwise to a new one. So a light that is switched on and off has two states, and a growing
/// list has one for each length.
struct ResourceStates: Equatable {
    /// An event of the resource, from one client's view.
    enum Event: Equatable {
        /// The resource gave the response with this number.
        case saw(Int)
        /// The request with this number may have changed it.
        case changed(Int)
    }

    struct State: Equatable {
        /// The responses in order; the last one repeats.
        var responses: [Int]
        /// Whether a response was recorded in the state; if not, it has the response of the state before.
        var isRecorded = false
        /// The states after changes, without changes that have no recorded response after them.
        var next: [Int: Int] = [:]
        /// The change that first leads to the state; nil for the initial state.
        var cause: Int?
    }

    /// The maximum number of a state's responses.
    private static let mostResponses = 100
    /// The maximum number of existing states to try before making a new one, and of events to check for each.
    private static let mostTries = 16
    private static let mostEvents = 500

    /// The states; the first is the initial one.
    private(set) var states = [State(responses: [])]
    /// Whether the earlier requests of its client explain each response.
    private(set) var isExplained = true
    /// The changes that lead to another state.
    private(set) var movers: Set<Int> = []
    private let isVolatile: Bool

    /// - Parameters:
    ///   - timelines: the events that each client saw, in order.
    ///   - isVolatile: whether responses differ even without changes.
    init(_ timelines: [[Event]], isVolatile: Bool) {
        self.isVolatile = isVolatile
        for events in timelines { run(events) }
        for index in states.indices {
            let responses = states[index].responses
            if let first = responses.first, responses.allSatisfy({ $0 == first }) { states[index].responses = [first] }
            movers.formUnion(states[index].next.filter { $0.value != index }.keys)
        }
    }

    private mutating func run(_ events: [Event]) {
        var state = 0
        // The number of responses that the client got in the state.
        var count = 0
        let last = events.lastIndex { if case .saw = $0 { true } else { false } } ?? -1
        for (index, event) in events.enumerated() {
            switch event {
            case .saw(let response):
                see(response, count, in: state)
                count += 1
            case .changed(let change):
                let next: Int
                if let known = states[state].next[change] {
                    next = known
                } else if index < last {
                    next = target(of: change, from: state, then: events[(index + 1)...])
                    states[state].next[change] = next
                } else {
                    // The effect of the change is unknown.
                    continue
                }
                if next != state { count = 0 }
                state = next
            }
        }
    }

    private mutating func see(_ response: Int, _ count: Int, in state: Int) {
        if !states[state].isRecorded {
            states[state].responses = [response]
            states[state].isRecorded = true
        } else if !isVolatile {
            if states[state].responses[0] != response { isExplained = false }
        } else if count < states[state].responses.count {
            if states[state].responses[count] != response { isExplained = false }
        } else if count < Self.mostResponses {
            states[state].responses.append(response)
        }
    }

    /// The state after a change: an existing one, possibly the same, if all later events match it; otherwise a new one.
    private mutating func target(of change: Int, from state: Int, then events: ArraySlice<Event>) -> Int {
        if !isVolatile {
            let next = events.lazy.compactMap { if case .saw(let response) = $0 { response } else { nil } }.first
            let others = states.indices.lazy.filter { [states] in
                $0 != state && states[$0].isRecorded && states[$0].responses.first == next
            }
            for candidate in [state] + others.prefix(Self.mostTries)
            where fits(candidate, events.prefix(Self.mostEvents), state, change) {
                return candidate
            }
        }
        states.append(State(responses: Array(states[state].responses.suffix(1)), cause: change))
        return states.count - 1
    }

    /// Whether these events may follow a change that leads from a state to a target.
    private func fits(_ target: Int, _ events: ArraySlice<Event>, _ from: Int, _ change: Int) -> Bool {
        var state = target
        var seen: [Int: Int] = [:]
        for event in events {
            switch event {
            case .saw(let response):
                if response != seen[state, default: states[state].responses.first ?? response] { return false }
                seen[state] = response
            case .changed(let other):
                guard let next = state == from && other == change ? target : states[state].next[other] else {
                    return true
                }
                state = next
            }
        }
        return true
    }
}
