internal import Backlot
internal import BacklotChecks
internal import BacklotClients

/// What phones do, one step after the other, again and again.
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
        /// How often the phone has begun a flow before.
        public let run: Int
        /// A text that no other phone and no other run has, in this load or another.
        public let id: String
    }

    /// The name, for the report.
    public let name: String
    /// How often phones choose it among several flows: twice as often as one of half the weight. Above 0.
    public let weight: Double
    let steps: @Sendable (User) -> [LoadStep]
    private static let places = ["{phone}", "{run}", "{id}"]

    /// A flow whose steps are chosen for each user.
    public init(_ name: String, weight: Double = 1, _ steps: @escaping @Sendable (User) -> [LoadStep]) {
        (self.name, self.weight, self.steps) = (name, weight, steps)
    }

    /// A flow of the same steps for all users, but for `{phone}`, `{run}` and `{id}` in texts and paths.
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

    /// Phones that are launched and go from page to page, along the links that they see. They call no rpcs.
    public static let wandering = LoadFlow("wander", steps: [.launch()] + Array(repeating: .wander, count: 1000))

    /// One GET, again and again.
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

/// What all threads of a load share.
struct LoadPlan: Sendable {
    let base: HTTPURL
    let flows: [LoadFlow]
    let options: LoadOptions
    /// Tells this load's users from those of another.
    let id: String
    /// When it begins, in nanoseconds of the loops' clock.
    let start: Int64
    let end: Int64
    /// The average time between two steps of a phone, in nanoseconds.
    let interval: Int64

    init(base: HTTPURL, flows: [LoadFlow], options: LoadOptions, id: String, start: Int64) {
        (self.base, self.flows, self.options, self.id, self.start) = (base, flows, options, id, start)
        end = start + options.duration.inNanoseconds
        interval = options.interval.inNanoseconds
    }

    /// When a phone is launched.
    func launch(of phone: Int) -> Int64 {
        let ramp = Double(options.ramp?.inNanoseconds ?? interval)
        guard let waves = options.waves else { return start + Int64(ramp * Double(phone) / Double(options.phones)) }
        let wave = phone * waves / options.phones
        return start + Int64(ramp * Double(wave) / Double(waves))
    }

    /// The time between two steps. People vary more than a rate may.
    func pause(_ chance: inout SplitMix64) -> Int64 {
        let spread = options.rate == nil ? 1 : 0.2
        return Int64(Double(interval) * (1 + spread * (chance.fraction() - 0.5)))
    }

    func flow(_ chance: inout SplitMix64) -> LoadFlow {
        flows[flows.count > 1 ? chance.place(among: flows.map(\.weight)) ?? 0 : 0]
    }

    func steps(_ flow: LoadFlow, phone: Int, run: Int) -> [LoadStep] {
        flow.steps(LoadFlow.User(phone: phone, run: run, id: "\(id)-\(phone)-\(run)"))
    }
}

/// What is due at which time: a binary heap, the earliest first.
struct TimerHeap {
    private var times: [Int64] = []
    private var items: [Int32] = []

    var count: Int { times.count }
    /// The earliest time; nil where nothing is due.
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

    /// Takes out the earliest. There is one.
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
