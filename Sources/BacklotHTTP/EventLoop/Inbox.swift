/// Work that any thread hands to a loop, and the loop takes all at once.
struct Inbox {
    /// Something to run on the loop.
    enum Work {
        /// A piece of a task, from the concurrency runtime.
        case job(UnownedJob)
        /// A call from another part of the server.
        case call(@Sendable () -> Void)
    }

    private var work: [Work] = []
    /// Whether the loop no longer comes by itself to take what is here.
    var hasLoopEnded = false

    /// Adds work at the end.
    ///
    /// - Returns: whether the loop has to be woken: only the first piece since `takeAll` needs that.
    mutating func add(_ piece: Work) -> Bool {
        work.append(piece)
        return work.count == 1
    }

    /// Exchanges the waiting work for `empty`, whose memory is used again.
    mutating func takeAll(into empty: inout [Work]) {
        swap(&work, &empty)
    }
}
