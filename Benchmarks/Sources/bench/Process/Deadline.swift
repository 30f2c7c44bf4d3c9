/// A moment by which something must have happened.
struct Deadline {
    private let end: ContinuousClock.Instant

    /// The moment in `seconds` from now.
    init(after seconds: Double) {
        end = .now + .seconds(seconds)
    }

    /// The time left in seconds; 0 once it has passed.
    var seconds: Double { max(0, (end - .now) / .seconds(1)) }

    var hasPassed: Bool { .now >= end }

    /// The time left in whole milliseconds, for poll(2); 0 once it has passed.
    var milliseconds: Int32 {
        Int32(max(0, (end - .now) / .milliseconds(1)))
    }
}
