internal import Backlot
internal import Histogram

/// What was measured.
struct LoadFigures: Sendable {
    /// What was measured of one step.
    struct Step: Sendable {
        let name: String
        var errors = 0
        /// From the intended beginning to the last answer of the step.
        var latencies = Latencies()
    }

    /// A kind of failure.
    struct Failure: Sendable {
        var count = 0
        /// What the first one said.
        let example: String
        /// The path that it was about.
        let path: String
    }

    /// The most steps that are told apart, and failures.
    private static let mostSteps = 200
    private static let mostFailures = 100

    /// From the intended beginning of each request to its last byte.
    var latencies = Latencies()
    /// How late phones woke up that waited for no answer: the machine of the phones had too much to do.
    var lateness = Latencies()
    private(set) var steps: [Step] = []
    private var places: [String: Int] = [:]
    private(set) var failures: [String: Failure] = [:]
    var statuses: [Int: Int] = [:]
    var errors = 0
    /// How many requests were answered, or have failed; and how many of them before the time was over.
    var responseCount = 0
    var respondedInTime = 0
    var bytesReceived = 0
    var bytesSent = 0
    /// How many phones were launched.
    var launched = 0
    /// How many steps were done.
    var stepsDone = 0
    /// How many refreshes by `poll_seconds` were among the requests.
    var polls = 0
    /// How many requests had no answer when the time was over.
    var withoutResponse = 0
    /// How many steps and refreshes should have begun before the end, and had not.
    var unbegun = 0
    /// How many cookies were dropped, because a phone keeps only so many.
    var droppedCookies = 0
    var isOutOfDescriptors = false

    /// The number of a step, which is new or known.
    mutating func step(_ name: String) -> Int {
        if let place = places[name] { return place }
        guard steps.count < Self.mostSteps else { return steps.count - 1 }
        let name = steps.count == Self.mostSteps - 1 ? "other steps" : name
        places[name] = steps.count
        // Paths come from the server, and the names go to a terminal.
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

    /// Adds what another thread has measured.
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
        isOutOfDescriptors = isOutOfDescriptors || other.isOutOfDescriptors
    }
}

/// What was measured in a short time, about a second.
struct LoadInterval: Sendable {
    var latencies = Latencies(isCoarse: true)
    /// How long what is open at its end has waited, where that is long.
    var ages = Latencies(isCoarse: true)
    var requests = 0
    var errors = 0
    var launched = 0
    /// How many requests are under way, and how many wait for a connection.
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

/// How long something took, how often: exact to a thousandth.
struct Latencies: Sendable {
    /// An hour, in microseconds.
    private static let most: UInt64 = 3_600_000_000
    private var histogram: Histogram<UInt32>

    /// - Parameter isCoarse: exact to a hundredth only, for short times.
    init(isCoarse: Bool = false) {
        histogram = Histogram(
            lowestDiscernibleValue: 1,
            highestTrackableValue: Self.most,
            numberOfSignificantValueDigits: isCoarse ? .two : .three
        )
    }

    /// Notes a time in nanoseconds, so many times; those above an hour are an hour.
    mutating func record(_ nanoseconds: Int64, count: Int = 1) {
        histogram.record(Swift.min(Self.most, UInt64(Swift.max(0, nanoseconds) / 1000)), count: UInt32(count))
    }

    /// Adds what another one holds, which is as exact.
    mutating func add(_ other: Latencies) {
        if other.count > 0 { histogram.add(other.histogram) }
    }

    mutating func reset() { histogram.reset() }

    /// How many times were noted.
    var count: Int { Int(histogram.totalCount) }

    /// The time that so many percent don't exceed, in nanoseconds; 0 without any.
    func value(_ percent: Double) -> Double {
        count == 0 ? 0 : Double(Swift.min(histogram.valueAtPercentile(percent), histogram.max)) * 1000
    }

    /// The longest time, in nanoseconds.
    var max: Double { count == 0 ? 0 : Double(histogram.max) * 1000 }

    /// The average, in nanoseconds.
    var mean: Double { count == 0 ? 0 : histogram.mean * 1000 }
}
