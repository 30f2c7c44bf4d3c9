import BacklotHTTP

/// When everybody goes home.
final class Ending: Sendable {
    private let state = Locked(false)

    var isDue: Bool { state.withLock { $0 } }

    func comes() { state.withLock { $0 = true } }
}

/// An unexpected result.
struct Surprise: Error, CustomStringConvertible {
    let description: String
}

/// Throws unless something holds.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw Surprise(description: message()) }
}
