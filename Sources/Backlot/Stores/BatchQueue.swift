internal import Dispatch

/// Work for separate threads, done in batches: items that arrive while all threads are busy form the next batch.
///
/// Items share the fixed cost of a batch, such as waiting for a disk or a response, and share it more the busier the queue is. A
/// single item doesn't wait.
package final class BatchQueue<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var idle: [DispatchQueue]
    }

    private let state: Locked<State>
    private let most: Int
    private let perform: @Sendable ([Item]) -> Void

    /// - Parameters:
    ///   - label: the name of its threads, for debuggers.
    ///   - threads: the number of batches in parallel.
    ///   - most: the maximum number of items in a batch.
    ///   - perform: processes a batch in order. It may block.
    package init(label: String, threads: Int = 1, most: Int, perform: @escaping @Sendable ([Item]) -> Void) {
        state = Locked(State(idle: (1...threads).map { DispatchQueue(label: threads == 1 ? label : "\(label).\($0)") }))
        self.most = most
        self.perform = perform
    }

    /// Adds an item. With one thread, items are processed in order.
    package func submit(_ item: Item) {
        let thread = state.withLock { state in
            state.waiting.append(item)
            return state.idle.popLast()
        }
        if let thread { thread.async { self.run(on: thread) } }
    }

    private func run(on thread: DispatchQueue) {
        while let batch = next(on: thread) { perform(batch) }
    }

    private func next(on thread: DispatchQueue) -> [Item]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(thread)
                return nil
            }
            guard state.waiting.count > most else {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(most) }
            return Array(state.waiting.prefix(most))
        }
    }
}
