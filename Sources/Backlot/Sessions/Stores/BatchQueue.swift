internal import BacklotHTTP
internal import Dispatch

/// Work for a separate thread, done in batches: items that arrive during one batch make the next.
///
/// So what a batch costs once, such as waiting for a disk or for an answer, is shared by all who wait, and the more of them
/// the busier it gets; a single piece of work waits for nobody.
package final class BatchQueue<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isBusy = false
    }

    private let state = Locked(State())
    private let queue: DispatchQueue
    private let most: Int
    private let perform: @Sendable ([Item]) -> Void

    /// - Parameters:
    ///   - label: the queue's name, for debuggers.
    ///   - most: how many items a batch has at most.
    ///   - perform: does a batch, in its order. It may block.
    package init(label: String, most: Int, perform: @escaping @Sendable ([Item]) -> Void) {
        queue = DispatchQueue(label: label)
        self.most = most
        self.perform = perform
    }

    /// Has an item done, after all that came before it.
    package func submit(_ item: Item) {
        let begins = state.withLock { state in
            state.waiting.append(item)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if begins { queue.async { self.run() } }
    }

    private func run() {
        while let batch = next() { perform(batch) }
    }

    private func next() -> [Item]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
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
