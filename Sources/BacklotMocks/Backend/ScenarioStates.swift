internal import Backlot

/// The states of all scenarios, for each session by itself.
///
/// A session is named by the value of its cookie `session`, or of the header field that ``MockConfiguration/stateKey`` names. A
/// client without one gets a cookie by the answer that changes a state, so that two clients never share a state, unless
/// ``MockConfiguration/sharesState`` asks for that.
public final class ScenarioStates: Sendable {
    /// The requests that share states.
    public enum Scope: Hashable, Sendable {
        /// All clients: these states hold for clients without their own.
        case shared
        /// Of requests with that session cookie, or with that value of the field that tells clients apart.
        case session(String)
    }

    /// A move of a scenario.
    struct Move: Sendable {
        let scenario: String
        let scope: Scope
        let former: String
        let new: String
    }

    /// The first state of every scenario.
    public static let started = "Started"

    private struct State {
        var shared: [String: String] = [:]
        /// Of sessions.
        var scopes: [Scope: (states: [String: String], user: String?, lastUse: UInt64)] = [:]
        /// Counts uses.
        var clock: UInt64 = 0
    }

    private let state = Locked(State())
    private let mostSessions: Int

    /// States that are all `Started`.
    ///
    /// - Parameter mostSessions: how many sessions are remembered. With more, the one that has changed least recently is
    ///   forgotten.
    public init(mostSessions: Int = 10_000) {
        self.mostSessions = mostSessions
    }

    /// The state of a scenario: the session's own, or else the shared one.
    public func state(of scenario: String, in scope: Scope = .shared) -> String {
        state.withLock { Self.current(scenario, in: scope, $0) }
    }

    private static func current(_ scenario: String, in scope: Scope, _ state: State) -> String {
        (scope == .shared ? nil : state.scopes[scope]?.states[scenario]) ?? state.shared[scenario] ?? started
    }

    /// The states that were set in a scope, by the scenarios' names. All others are `Started`.
    public func states(in scope: Scope = .shared) -> [String: String] {
        state.withLock { scope == .shared ? $0.shared : $0.scopes[scope]?.states ?? [:] }
    }

    /// The sessions with states.
    public var sessions: [String] {
        state.withLock { $0.scopes.keys.compactMap { if case .session(let id) = $0 { id } else { nil } } }
    }

    /// Sets the state of a scenario.
    public func set(_ scenario: String, to newState: String, in scope: Scope = .shared) {
        state.withLock { set(scenario, to: newState, in: scope, &$0) }
    }

    /// Sets the state of a scenario if it is in another.
    ///
    /// - Parameter required: the state that it must be in; nil for any.
    /// - Returns: the move; nil when it is in another state, so that nothing was changed.
    func advance(_ scenario: String, from required: String?, to newState: String, in scope: Scope) -> Move? {
        state.withLock { state in
            let current = Self.current(scenario, in: scope, state)
            guard required == nil || current == required else { return nil }
            return move(scenario, from: current, to: newState, in: scope, &state)
        }
    }

    /// Moves scenarios.
    ///
    /// - Returns: the moves, and a text for each scenario that stays, since nothing says where its state leads.
    func move(_ moves: ScenarioMoves, in scope: Scope) -> (made: [Move], kept: [String]) {
        state.withLock { state in
            var (made, kept) = ([Move](), [String]())
            for (name, states) in moves.scenarios {
                let current = Self.current(name, in: scope, state)
                if let new = states[current] {
                    made.append(move(name, from: current, to: new, in: scope, &state))
                } else {
                    kept.append("\(name.shown), which is in the state \(current.shown)")
                }
            }
            return (made, kept)
        }
    }

    private func move(
        _ scenario: String,
        from current: String,
        to new: String,
        in scope: Scope,
        _ state: inout State
    ) -> Move {
        if current != new { set(scenario, to: new, in: scope, &state) }
        return Move(scenario: scenario, scope: scope, former: current, new: new)
    }

    /// Takes moves back, but for scenarios that have moved on.
    func takeBack(_ moves: [Move]) {
        for move in moves.reversed() {
            _ = advance(move.scenario, from: move.new, to: move.former, in: move.scope)
        }
    }

    /// Gives a new session the states of another, after a log-in. The states of the old session are forgotten.
    func hand(from old: Scope, to new: Scope) {
        guard old != new, old != .shared else { return }
        state.withLock { state in
            for (scenario, value) in state.scopes.removeValue(forKey: old)?.states ?? [:] {
                set(scenario, to: value, in: new, &state)
            }
        }
    }

    /// The logged-in user of the client that a header field names.
    func user(of scope: Scope) -> String? { state.withLock { $0.scopes[scope]?.user } }

    /// Logs a user in, or nil out.
    func set(user: String?, of scope: Scope) {
        state.withLock { state in change(scope, &state) { $0.user = user } }
    }

    private func set(_ scenario: String, to newState: String, in scope: Scope, _ state: inout State) {
        guard scope != .shared else { return state.shared[scenario] = newState }
        change(scope, &state) { $0.states[scenario] = newState }
    }

    private func change(
        _ scope: Scope,
        _ state: inout State,
        _ change: (inout (states: [String: String], user: String?, lastUse: UInt64)) -> Void
    ) {
        state.clock += 1
        change(&state.scopes[scope, default: ([:], nil, 0)])
        state.scopes[scope]?.lastUse = state.clock
        guard state.scopes.count > mostSessions else { return }
        // The sessions used least recently are removed until a tenth is free again.
        let oldest = state.scopes.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(1 + mostSessions / 10)
        for (old, _) in oldest { state.scopes[old] = nil }
    }

    /// Sets every scenario back, in all scopes, and logs out the clients that a header field names.
    public func reset() {
        state.withLock { $0 = State() }
    }

    /// Sets a scope's scenarios back, and logs out its client if a header field names it.
    public func reset(_ scope: Scope) {
        state.withLock { state in
            if scope == .shared { state.shared = [:] } else { state.scopes[scope] = nil }
        }
    }

    /// Sets the scenarios of a scope back; those of all scopes for the shared one. Users stay logged in.
    func resetStates(in scope: Scope) {
        state.withLock { state in
            if scope == .shared { state.shared = [:] }
            for scope in scope == .shared ? Array(state.scopes.keys) : [scope] {
                state.scopes[scope]?.states = [:]
                if state.scopes[scope]?.user == nil { state.scopes[scope] = nil }
            }
        }
    }

    /// Sets a scenario back, in all scopes.
    public func reset(scenario: String) {
        state.withLock { state in
            state.shared[scenario] = nil
            for scope in Array(state.scopes.keys) { state.scopes[scope]?.states[scenario] = nil }
        }
    }
}
