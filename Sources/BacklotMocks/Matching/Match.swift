/// What came of comparing a request with a pattern.
public struct Match: Sendable, Equatable {
    /// A condition that the request doesn't meet.
    public struct Failure: Sendable, Equatable, CustomStringConvertible {
        /// What of the request was looked at: `method`, `header Accept`, `variable agree`.
        public var subject: String
        /// What the pattern asks for.
        public var expected: String
        /// What came; nil for nothing.
        public var actual: String?
        /// Whether the comparison was given up, since it takes too many steps: that counts as a difference.
        public var isGivenUp = false

        /// `header Accept: equal to "a" is expected, but it is "b"`.
        public var description: String {
            let text = "\(subject): \(expected) is expected, but \(actual.map { "it is \($0)" } ?? "there is none")"
            return isGivenUp ? text + "; comparing them takes too many steps and was given up" : text
        }

        func givenUp(_ isGivenUp: Bool) -> Failure {
            var failure = self
            failure.isGivenUp = isGivenUp
            return failure
        }
    }

    /// The conditions that failed, in the order of the pattern.
    public var failures: [Failure]
    /// How far the request is from the pattern: 0 for a match, at most 1.
    public var distance: Double

    /// Whether the request meets every condition.
    public var isMatch: Bool { failures.isEmpty }
}

extension String {
    /// The text in quotes, cut where it gets long.
    var shown: String { "\"\(count <= 80 ? self : prefix(79) + "…")\"" }
}
