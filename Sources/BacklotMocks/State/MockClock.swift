import Backlot
import Synchronization

/// The current time of mocks: the system's, or another one. A value without I/O: callers pass the system's time.
///
/// All times are milliseconds since 1970 began in UTC.
public struct MockClock: Sendable, Equatable {
    /// The permitted speeds of a clock: 0 stands still, 1 is the usual speed, 60 makes a minute of each second.
    public static let speeds = 0.0...100_000.0
    /// The years 1 to 9999.
    private static let times = -62_135_596_800_000...253_402_300_799_000 as ClosedRange<Int64>

    /// The system's clock.
    public static let system = MockClock(start: 0, at: 0)

    /// Its time at `setAt`.
    private let start: Int64
    /// The system's time when it was set.
    private let setAt: Int64
    /// The speed: seconds of the clock in one second.
    public let speed: Double

    private init(start: Int64, at setAt: Int64, speed: Double = 1) {
        (self.start, self.setAt, self.speed) = (start, setAt, speed)
    }

    /// Creates a clock that shows `now` at the system's time `system`, and runs from there.
    ///
    /// - Returns: nil beyond the years 1 to 9999, and beyond ``speeds``.
    public init?(now: Int64, at system: Int64, speed: Double = 1) {
        guard Self.times.contains(now), Self.speeds.contains(speed) else { return nil }
        self.init(start: now, at: system, speed: speed)
    }

    /// A clock that shows the time of a text: `2026-12-24T18:00:00Z`, `2026-12-24` (in UTC where no zone stands there), `now`, or a span
    /// from now such as `+3 days` or `-2 hours`.
    ///
    /// - Returns: nil for other texts.
    public init?(_ text: String, at system: Int64 = MockClocks.system, speed: Double = 1) {
        let now = TemplateDate(milliseconds: system)
        let date = text == "now" ? now : now.moved(by: text) ?? CivilTime(text).flatMap { TemplateDate($0) }
        guard let date else { return nil }
        self.init(now: date.milliseconds, at: system, speed: speed)
    }

    /// The time that it shows.
    ///
    /// - Parameter system: the system's time.
    public func milliseconds(at system: Int64) -> Int64 {
        let passed = Double(system - setAt) * speed
        let shown = start + Int64(max(-3e14, min(3e14, passed)))
        return min(max(shown, Self.times.lowerBound), Self.times.upperBound)
    }

    /// The same time with another speed.
    func running(at speed: Double, from system: Int64) -> MockClock {
        MockClock(start: milliseconds(at: system), at: system, speed: speed)
    }
}

/// The clocks of a backend of mocks: one for all clients, and others for single clients.
///
/// ```swift
/// mocks.clocks.set(MockClock("2026-12-24T18:00:00Z"))
/// ```
/// They show the time for tags, date matchers, and the expiry of sessions, feeds and drafts; delays and timeouts go by the system's
/// clock.
public final class MockClocks: Sendable {
    /// The maximum number of clients with separate clocks.
    public static let maximumClients = 1000
    /// The client of the current request, if some client has a separate clock.
    @TaskLocal static var client = ScenarioStates.Scope.shared

    private struct State {
        var shared: MockClock
        var own: [ScenarioStates.Scope: MockClock] = [:]
    }

    private let first: MockClock
    private let state: Locked<State>
    private let isSet: Atomic<Bool>
    private let hasOwn = Atomic(false)
    private let watcher = Locked<(@Sendable () -> Void)?>(nil)

    /// The system's time.
    public static var system: Int64 { TemplateDate.now.milliseconds }

    init(_ clock: MockClock) {
        first = clock
        state = Locked(State(shared: clock))
        isSet = Atomic(clock != .system)
    }

    /// Whether some client has a separate clock.
    var haveClients: Bool { hasOwn.load(ordering: .relaxed) }
    /// Whether any clock isn't the system's.
    var areSet: Bool { isSet.load(ordering: .relaxed) }

    /// The clock that a client goes by.
    public func clock(of client: ScenarioStates.Scope = .shared) -> MockClock {
        state.withLock { $0.own[client] ?? $0.shared }
    }

    /// The time for a client, in seconds since 1970, such as for a headless client's `now`.
    public func secondsSince1970(of client: ScenarioStates.Scope = .shared) -> Int {
        Int(milliseconds(of: client) / 1000)
    }

    /// Calls a function after each order to change a clock.
    package func onChange(_ body: @escaping @Sendable () -> Void) { watcher.withLock { $0 = body } }

    /// The time for a client.
    func milliseconds(of client: ScenarioStates.Scope) -> Int64 {
        areSet ? clock(of: client).milliseconds(at: Self.system) : Self.system
    }

    /// The same in UTC, for date matchers.
    func time(of client: ScenarioStates.Scope) -> CivilTime {
        CivilTime(seconds: Double(milliseconds(of: client)) / 1000, offset: 0)
    }

    /// Sets the clock of one client, or of all, which removes separate clocks.
    ///
    /// - Parameter clock: the clock; nil restores the first one, or for one client the clock of all.
    /// - Returns: false where ``maximumClients`` have one of their own already.
    @discardableResult public func set(_ clock: MockClock?, of client: ScenarioStates.Scope = .shared) -> Bool {
        defer { watcher.withLock(\.self)?() }
        return change { state in
            guard client != .shared else {
                state = State(shared: clock ?? first)
                return true
            }
            let hasRoom = clock == nil || state.own[client] != nil || state.own.count < Self.maximumClients
            if hasRoom { state.own[client] = clock }
            return hasRoom
        }
    }

    /// Gives a new session the clock of another, after a log-in.
    func hand(from old: ScenarioStates.Scope, to new: ScenarioStates.Scope) {
        guard haveClients, old != new else { return }
        change { state in state.own[new] = state.own.removeValue(forKey: old) ?? state.own[new] }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                isSet.store(state.shared != .system || !state.own.isEmpty, ordering: .relaxed)
                hasOwn.store(!state.own.isEmpty, ordering: .relaxed)
            }
            return body(&state)
        }
    }

    // MARK: For sessions, feeds and drafts

    /// A clock for code that doesn't know the clients of mocks: that of the current request's client.
    ///
    /// - Parameter clock: the clock while no other one is set.
    func sessionClock(_ clock: SessionClock = .system) -> SessionClock {
        SessionClock { [self] in
            areSet ? Int(milliseconds(of: Self.client) / 1000) : clock.secondsSince1970
        }
    }

    /// The clock of a store of sessions, which removes expired ones. While clocks differ it shows 0, so that no session is removed that
    /// another clock still needs.
    var storeClock: SessionClock { SessionClock { [self] in areSet ? 0 : SessionClock.system.secondsSince1970 } }
}
