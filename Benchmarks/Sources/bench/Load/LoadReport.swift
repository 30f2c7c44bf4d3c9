/// What a load came to, whatever made it.
struct LoadReport {
    /// Answers that came back whole.
    var requests: Int
    /// Answers a second.
    var requestsPerSecond: Double
}
