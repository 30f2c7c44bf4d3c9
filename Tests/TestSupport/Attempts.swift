/// The longest wait. It is shorter than a test's time limit, so that the test can report the last error.
private let longest = Duration.seconds(200)

/// Repeats an attempt that may fail at first, such as a request with a short limit to a server that starts.
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

/// Repeats an attempt that must fail, until it fails for the expected reason. It may fail for other reasons at first, such as a server
/// that hasn't responded yet.
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
