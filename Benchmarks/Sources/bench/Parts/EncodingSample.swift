import Foundation

/// A line that `bench-encoding` prints: how long one encoder takes for one page.
///
///     {"name":"backlot small","ns_per_page":2741}
struct EncodingSample: Decodable, Equatable {
    /// What was encoded, with what.
    enum Name: String, Decodable {
        case backlotSmall = "backlot small"
        case backlotLarge = "backlot large"
        case jsonEncoderSmall = "jsonencoder small"
        case jsonEncoderLarge = "jsonencoder large"
    }

    var name: Name
    /// The time to build the page and encode it, once.
    var nanoseconds: Double

    private enum CodingKeys: String, CodingKey {
        case name
        case nanoseconds = "ns_per_page"
    }
}

extension EncodingSample {
    /// The samples in what the program printed, one a line.
    /// - Throws: ``CheckFailure`` for a line that is none.
    static func parse(_ output: String) throws -> [EncodingSample] {
        try output.split(separator: "\n").map { line in
            guard let sample = try? JSONDecoder().decode(EncodingSample.self, from: Data(line.utf8)) else {
                throw CheckFailure("bench-encoding printed a line of another form: \(line)")
            }
            return sample
        }
    }
}
