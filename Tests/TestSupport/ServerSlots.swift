/// Lets only so many tests run a server at a time: each takes threads, of which Dispatch has 255.
public actor ServerSlots {
    /// The slots of all tests in the process.
    public static let shared = ServerSlots(count: 12)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    /// Calls `body` as soon as there is a free slot. Calls must not be nested.
    public nonisolated func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await take()
        do {
            let result = try await body()
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
