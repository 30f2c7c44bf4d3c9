/// What the rounds measured of one server.
struct ServerFigures {
    /// One round.
    struct Sample: CustomStringConvertible {
        var requestsPerSecond: Double
        /// Processor seconds for 100,000 requests.
        var cpu: Double
        var residentBytes: Double

        var description: String {
            "\(Figure.whole(requestsPerSecond)) requests/s, \(Figure.decimal(cpu)) CPU s/100,000"
        }
    }

    private var samples: [Sample] = []

    /// Adds a round.
    mutating func add(_ sample: Sample) {
        samples.append(sample)
    }

    /// The median of the processor seconds for 100,000 requests.
    var cpu: Double? { samples.map(\.cpu).median }

    /// The lowest and the highest of them: how far to trust the median.
    var cpuRange: String {
        let sorted = samples.map(\.cpu).sorted()
        return "\(Figure.decimal(sorted.first))–\(Figure.decimal(sorted.last))"
    }

    /// The median of the answers a second.
    var requestsPerSecond: Double? { samples.map(\.requestsPerSecond).median }

    /// The median of the resident memory after a round.
    var residentBytes: Double? { samples.map(\.residentBytes).median }
}
