/// Limits how many tests run a server at a time: each takes threads, of which Dispatch has 255.
package actor ServerSlots {
    /// The slots of all tests in the process.
    package static let shared = ServerSlots(count: 12)
    /// Whether the task has a slot. A test with two servers takes one, so that no two such tests wait for each other.
    @TaskLocal private static var isTaken = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(count: Int) {
        free = count
    }

    /// Calls `body` as soon as there is a free slot, and at once where the task has one.
    package nonisolated func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if Self.isTaken { return try await body() }
        await take()
        do {
            let result = try await Self.$isTaken.withValue(true, operation: body)
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

extension Server {
    /// Serves while `body` runs, and shuts down after it, also when it throws. It is for tests, and waits for one of
    /// the slots (`ServerSlots`).
    ///
    /// - Throws: what `body` throws; why the server can't start.
    package func serve<Result>(_ body: (SocketAddress) async throws -> Result) async throws -> Result {
        try await ServerSlots.shared.run {
            let running = try start()
            do {
                let result = try await body(running.address)
                await running.shutdown()
                return result
            } catch {
                await running.shutdown()
                throw error
            }
        }
    }
}
