/// What tests wait for at most: less than their time limit, so that they say what it was.
private let longest = Duration.seconds(200)

/// Repeats what may fail for a while, such as a request with a short limit to a server that starts.
///
/// - Returns: the value of the first attempt that succeeds.
/// - Throws: the error of the last attempt.
@discardableResult
public func firstSuccess<Value>(of attempt: () async throws -> Value) async throws -> Value {
    let end = ContinuousClock.now + longest * Patience.factor
    while true {
        do {
            return try await attempt()
        } catch {
            guard ContinuousClock.now < end else { throw error }
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Repeats what must fail until it does so for a certain reason. Before a server has refused the first connection, or after a response
/// that came too late, there are other reasons.
///
/// - Returns: the last reason.
public func failureReason(containing text: String, of attempt: () async throws -> Void) async throws -> String {
    let end = ContinuousClock.now + longest * Patience.factor
    while true {
        do {
            try await attempt()
            return "it has not failed"
        } catch {
            let reason = "\(error)"
            guard !reason.contains(text), ContinuousClock.now < end else { return reason }
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
