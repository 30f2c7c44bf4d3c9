import Foundation

/// A line that a program prints about itself: how long it takes to do something once.
///
///     {"name":"backlot small","ns":2741}
struct TimedSample: Decodable, Equatable {
    /// What was done.
    var name: String
    /// The time, once.
    var nanoseconds: Double

    private enum CodingKeys: String, CodingKey {
        case name
        case nanoseconds = "ns"
    }
}

extension TimedSample {
    /// The samples in what a program printed, one a line.
    /// - Throws: ``CheckFailure`` for a line that is none.
    static func parse(_ output: String) throws -> [TimedSample] {
        try output.split(separator: "\n").map { line in
            guard let sample = try? JSONDecoder().decode(TimedSample.self, from: Data(line.utf8)) else {
                throw CheckFailure("a line of another form: \(line)")
            }
            return sample
        }
    }

    /// Runs a program in each round.
    /// - Returns: the medians, in nanoseconds, by name.
    static func medians(of program: String, _ plan: Plan) throws -> [String: Double] {
        var samples: [TimedSample] = []
        for round in 1...plan.rounds {
            Progress.say("round \(round)/\(plan.rounds)  \(program)")
            let executable = plan.workspace.program(program)
            samples += try parse(try ChildProcess(program, executable: executable, in: plan.workspace).finish())
        }
        return Dictionary(grouping: samples, by: \.name).compactMapValues { $0.map(\.nanoseconds).median }
    }
}
