internal import Backlot
internal import BacklotChecks
internal import BacklotClients

/// The steps of a simulated phone. The phone takes a flow, then the next one, until the load ends.
///
/// ```swift
/// let signUp = LoadFlow("sign up") { user in
///     [
///         .launch(), .tap("New Account"), .enter("user-\(user.id)", into: "Username"), .check("I agree"),
///         .tap("Create Account"),
///     ]
/// }
/// ```
public struct LoadFlow: Sendable {
    /// A person with a phone, for one run through a flow.
    public struct User: Sendable {
        /// The phone's number, from 0.
        public let phone: Int
        /// The number of flows that the phone began before this one.
        public let run: Int
        /// A text that is unique to this phone and run, in this load and all others.
        public let id: String
    }

    /// The name in the report.
    public let name: String
    /// The flow's share among several flows: a flow of weight 2 is chosen twice as often as one of weight 1. Must be above 0.
    public let weight: Double
    let steps: @Sendable (User) -> [LoadStep]
    private static let places = ["{phone}", "{run}", "{id}"]

    /// Creates a flow with a function that makes the steps for each user.
    public init(_ name: String, weight: Double = 1, _ steps: @escaping @Sendable (User) -> [LoadStep]) {
        (self.name, self.weight, self.steps) = (name, weight, steps)
    }

    /// Creates a flow with the same steps for all users. Texts and paths may contain `{phone}`, `{run}` and `{id}`, which are
    /// replaced by the user's values.
    public init(_ name: String, weight: Double = 1, steps: [LoadStep]) {
        let isTemplate = steps.contains { step in
            var holds = false
            _ = step.mapTexts {
                if Self.places.contains(where: $0.contains) { holds = true }
                return $0
            }
            return holds
        }
        self.init(name, weight: weight) { user in
            guard isTemplate else { return steps }
            return steps.map { $0.mapTexts { $0.filled(for: user) } }
        }
    }

    /// A flow that launches the app and goes from page to page along the visible links. It calls no rpcs.
    public static let wandering = LoadFlow("wander", steps: [.launch()] + Array(repeating: .wander, count: 1000))

    /// A flow that repeats one GET request.
    public static func get(_ path: String) -> LoadFlow {
        LoadFlow("GET \(path)", steps: [.request(LoadRequest(.get, path))])
    }
}

extension String {
    fileprivate func filled(for user: LoadFlow.User) -> String {
        guard contains("{") else { return self }
        return replacing("{phone}", with: "\(user.phone)").replacing("{run}", with: "\(user.run)")
            .replacing("{id}", with: user.id)
    }
}

/// The settings that all threads of a load share.
struct LoadPlan: Sendable {
    let base: HTTPURL
    let flows: [LoadFlow]
    let options: LoadOptions
    /// A text that distinguishes this load's users from those of other loads.
    let id: String
    /// The start of the load, in nanoseconds of the event loops' clock.
    let start: Int64
    let end: Int64
    /// The average time between two steps of a phone, in nanoseconds.
    let interval: Int64

    init(base: HTTPURL, flows: [LoadFlow], options: LoadOptions, id: String, start: Int64) {
        (self.base, self.flows, self.options, self.id, self.start) = (base, flows, options, id, start)
        end = start + options.duration.inNanoseconds
        interval = options.interval.inNanoseconds
    }

    /// The time at which a phone is launched, in nanoseconds of the event loops' clock.
    func launch(of phone: Int) -> Int64 {
        let ramp = Double(options.ramp?.inNanoseconds ?? interval)
        guard let waves = options.waves else { return start + Int64(ramp * Double(phone) / Double(options.phones)) }
        let wave = phone * waves / options.phones
        return start + Int64(ramp * Double(wave) / Double(waves))
    }

    /// The time between two steps, in nanoseconds. It varies by 50 percent around a think time, but only by 10 percent for a given
    /// rate.
    func pause(_ chance: inout SplitMix64) -> Int64 {
        let spread = options.rate == nil ? 1 : 0.2
        return Int64(Double(interval) * (1 + spread * (chance.fraction() - 0.5)))
    }

    /// The index of a phone's next flow.
    func flow(_ chance: inout SplitMix64) -> Int {
        flows.count > 1 ? chance.place(among: flows.map(\.weight)) ?? 0 : 0
    }

    func steps(_ flow: Int, phone: Int, run: Int) -> [LoadStep] {
        flows[flow].steps(LoadFlow.User(phone: phone, run: run, id: "\(id)-\(phone)-\(run)"))
    }
}

/// A binary heap of items by the times at which they are due, the earliest first.
struct TimerHeap {
    private var times: [Int64] = []
    private var items: [Int32] = []

    var count: Int { times.count }
    /// The earliest time; nil if the heap is empty.
    var first: Int64? { times.first }

    mutating func push(_ item: Int32, at time: Int64) {
        var index = times.count
        times.append(time)
        items.append(item)
        while index > 0 {
            let parent = (index - 1) / 2
            guard times[parent] > time else { break }
            times[index] = times[parent]
            items[index] = items[parent]
            index = parent
        }
        times[index] = time
        items[index] = item
    }

    /// Removes and returns the earliest item. The heap must not be empty.
    mutating func pop() -> (time: Int64, item: Int32) {
        let top = (times[0], items[0])
        let time = times.removeLast()
        let item = items.removeLast()
        guard !times.isEmpty else { return top }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < times.count else { break }
            if child + 1 < times.count, times[child + 1] < times[child] { child += 1 }
            guard times[child] < time else { break }
            times[index] = times[child]
            items[index] = items[child]
            index = child
        }
        times[index] = time
        items[index] = item
        return top
    }
}
