internal import BacklotHTTP
internal import CoreMetrics

/// Finished records of one signal that wait to be sent. Adding one never waits: if the queue is full, the record is dropped and
/// counted in the metric `otlp.dropped`.
final class ExportQueue<Record: Sendable>: Sendable {
    /// The limits of the queue and its batches.
    let bounds: BatchBounds
    private let records = Locked<[Record]>([])
    private let dropped: Counter
    /// Wakes the sender.
    let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(_ bounds: BatchBounds, dropped: Counter) {
        self.bounds = bounds
        self.dropped = dropped
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ record: Record) {
        let count = records.withLock { records in
            guard records.count < bounds.queue else { return Int?.none }
            records.append(record)
            return records.count
        }
        guard let count else { return dropped.increment() }
        if count == bounds.batch { wake() }
    }

    /// Removes the oldest records, as many as fit into one request.
    func take() -> [Record] {
        records.withLock { records in
            let batch = Array(records.prefix(bounds.batch))
            records.removeFirst(batch.count)
            return batch
        }
    }

    /// Makes the sender send the waiting records now.
    func wake() { wakeUp.yield() }

    /// Ends the wake-ups when the program stops.
    func finish() { wakeUp.finish() }
}

/// The limits of a queue, from `OTEL_BSP_*` and `OTEL_BLRP_*`.
struct BatchBounds: Sendable, Equatable {
    /// The maximum number of waiting records.
    var queue = 2048
    /// The maximum number of records in a request.
    var batch = 512
    /// The maximum time that records wait.
    var delay: Duration
    /// The time limit of a request.
    var timeout: Duration = .seconds(30)
}

/// The export of one signal's records to the collector: the waiting queue and the sender.
struct RecordExport<Record: Sendable>: Sendable {
    let queue: ExportQueue<Record>
    let sender: OTLPSender
    /// Makes a request from some records.
    let request: @Sendable ([Record]) -> OTLPRequest

    /// Sends the waiting records, request by request.
    func send() async {
        while !sender.isPaused, !Task.isCancelled {
            let batch = queue.take()
            guard !batch.isEmpty else { return }
            await sender.send(request(batch), within: queue.bounds.timeout)
        }
    }

    /// Sends batches when they are full or due, until the queue is finished, and then the rest.
    func serve() async {
        await withTaskGroup { group in
            group.addTask { while (try? await Task.sleep(for: queue.bounds.delay)) != nil { queue.wake() } }
            for await _ in queue.wakeUps { await send() }
            group.cancelAll()
        }
        await send()
    }
}
