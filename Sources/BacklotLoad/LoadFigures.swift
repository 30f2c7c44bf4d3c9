internal import Backlot
internal import Histogram

/// The measurements of a load.
struct LoadFigures: Sendable {
    /// The measurements of one step.
    struct Step: Sendable {
        let name: String
        var errors = 0
        /// The time from the step's intended beginning to its last response.
        var latencies = Latencies()
    }

    /// A kind of failure.
    struct Failure: Sendable {
        var count = 0
        /// The message of the first failure.
        let example: String
        /// The path of the first failed request.
        let path: String
    }

    /// The maximum numbers of distinct steps and failures.
    private static let mostSteps = 200
    private static let mostFailures = 100

    /// The time from the intended beginning of each request to its last byte.
    var latencies = Latencies()
    /// The wake-up delays of idle phones. They measure the load on the phones' own machine.
    var lateness = Latencies()
    private(set) var steps: [Step] = []
    private var places: [String: Int] = [:]
    private(set) var failures: [String: Failure] = [:]
    var statuses: [Int: Int] = [:]
    var errors = 0
    /// The number of requests with a response or a failure, and the number of those that finished in time.
    var responseCount = 0
    var respondedInTime = 0
    var bytesReceived = 0
    var bytesSent = 0
    /// The number of launched phones.
    var launched = 0
    /// The number of finished steps.
    var stepsDone = 0
    /// The number of requests that were refreshes by `poll_seconds`.
    var polls = 0
    /// The number of requests without a response at the end.
    var withoutResponse = 0
    /// The number of steps and refreshes that were due before the end, but had not begun.
    var unbegun = 0
    /// The number of cookies dropped because a phone's cookie limit was reached.
    var droppedCookies = 0
    var isOutOfDescriptors = false
    /// For each flow, the number of its first steps that some phone has begun.
    private(set) var reached: [Int] = []

    /// Notes that a phone has begun the first `count` steps of a flow.
    mutating func reach(_ count: Int, of flow: Int) {
        while reached.count <= flow { reached.append(0) }
        reached[flow] = max(reached[flow], count)
    }

    /// The index of a step's measurements, which are added if the step is new.
    mutating func step(_ name: String) -> Int {
        if let place = places[name] { return place }
        guard steps.count < Self.mostSteps else { return steps.count - 1 }
        let name = steps.count == Self.mostSteps - 1 ? "other steps" : name
        places[name] = steps.count
        // Paths come from the server, and step names are printed on a terminal.
        steps.append(Step(name: name.excerpt(upTo: 200)))
        return steps.count - 1
    }

    mutating func note(_ nanoseconds: Int64, step: Int) { steps[step].latencies.record(nanoseconds) }

    mutating func noteError(step: Int) { steps[step].errors += 1 }

    mutating func noteFailure(_ kind: String, _ example: String, path: String) {
        errors += 1
        if failures[kind] == nil {
            guard failures.count < Self.mostFailures else { return }
            failures[kind] = Failure(example: example.excerpt(upTo: 400), path: path.excerpt(upTo: 400))
        }
        failures[kind]?.count += 1
    }

    /// Adds the measurements of another thread.
    mutating func add(_ other: LoadFigures) {
        latencies.add(other.latencies)
        lateness.add(other.lateness)
        for step in other.steps {
            let place = self.step(step.name)
            steps[place].errors += step.errors
            steps[place].latencies.add(step.latencies)
        }
        for (kind, failure) in other.failures {
            if failures[kind] == nil { failures[kind] = Failure(example: failure.example, path: failure.path) }
            failures[kind]?.count += failure.count
        }
        statuses.merge(other.statuses) { $0 + $1 }
        errors += other.errors
        responseCount += other.responseCount
        respondedInTime += other.respondedInTime
        bytesReceived += other.bytesReceived
        bytesSent += other.bytesSent
        launched += other.launched
        stepsDone += other.stepsDone
        polls += other.polls
        withoutResponse += other.withoutResponse
        unbegun += other.unbegun
        droppedCookies += other.droppedCookies
        for (flow, count) in other.reached.enumerated() { reach(count, of: flow) }
        isOutOfDescriptors = isOutOfDescriptors || other.isOutOfDescriptors
    }
}

/// The measurements of a short interval, about a second.
struct LoadInterval: Sendable {
    var latencies = Latencies(isCoarse: true)
    /// The waiting times of requests and steps that have waited long at the interval's end.
    var ages = Latencies(isCoarse: true)
    var requests = 0
    var errors = 0
    var launched = 0
    /// The numbers of requests in flight, and of those waiting for a connection.
    var running = 0
    var waiting = 0

    mutating func add(_ other: LoadInterval) {
        latencies.add(other.latencies)
        ages.add(other.ages)
        requests += other.requests
        errors += other.errors
        launched += other.launched
        running += other.running
        waiting += other.waiting
    }
}

/// A histogram of times, exact to a thousandth.
struct Latencies: Sendable {
    /// An hour, in microseconds.
    private static let most: UInt64 = 3_600_000_000
    private var histogram: Histogram<UInt32>

    /// - Parameter isCoarse: whether values are exact to a hundredth only, for short intervals.
    init(isCoarse: Bool = false) {
        histogram = Histogram(
            lowestDiscernibleValue: 1,
            highestTrackableValue: Self.most,
            numberOfSignificantValueDigits: isCoarse ? .two : .three
        )
    }

    /// Records a time in nanoseconds, `count` times. Times above an hour count as an hour.
    mutating func record(_ nanoseconds: Int64, count: Int = 1) {
        histogram.record(Swift.min(Self.most, UInt64(Swift.max(0, nanoseconds) / 1000)), count: UInt32(count))
    }

    /// Adds the times of another histogram of the same precision.
    mutating func add(_ other: Latencies) {
        if other.count > 0 { histogram.add(other.histogram) }
    }

    mutating func reset() { histogram.reset() }

    /// The number of recorded times.
    var count: Int { Int(histogram.totalCount) }

    /// The percentile of the recorded times, in nanoseconds; 0 without recorded times.
    func value(_ percent: Double) -> Double {
        count == 0 ? 0 : Double(Swift.min(histogram.valueAtPercentile(percent), histogram.max)) * 1000
    }

    /// The longest time, in nanoseconds.
    var max: Double { count == 0 ? 0 : Double(histogram.max) * 1000 }

    /// The average, in nanoseconds.
    var mean: Double { count == 0 ? 0 : histogram.mean * 1000 }
}
