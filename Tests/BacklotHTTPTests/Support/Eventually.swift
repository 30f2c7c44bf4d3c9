import TestSupport

/// Looks every few milliseconds whether something has come true, where nothing signals it; under a sanitizer, for longer.
func eventually(within time: Duration = .seconds(5), _ condition: () async -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time * Patience.factor
    while await !condition() {
        guard clock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
