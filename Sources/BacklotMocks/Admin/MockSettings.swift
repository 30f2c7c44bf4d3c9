import Synchronization

/// What commands have set for all answers.
final class MockSettings: Sendable {
    private let delay = Atomic(0)

    /// How long every answer is kept back, besides what its stub says, in milliseconds.
    var fixedDelay: Int {
        get { delay.load(ordering: .relaxed) }
        set { delay.store(newValue, ordering: .relaxed) }
    }
}
