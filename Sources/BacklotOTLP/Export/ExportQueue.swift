internal import BacklotHTTP
internal import CoreMetrics

/// Finished records of one signal that wait to be sent. Adding one never waits: one that finds the queue full is dropped, and
/// counted in the metric `otlp.dropped`.
final class ExportQueue<Record: Sendable>: Sendable {
    /// How many may wait, how many are sent in one go, and how long the first of them waits.
    let bounds: BatchBounds
    private let records = Locked<[Record]>([])
    private let dropped: Counter
    /// Wakes the one that sends.
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

    /// Takes out the oldest records, as many as go into one request.
    func take() -> [Record] {
        records.withLock { records in
            let batch = Array(records.prefix(bounds.batch))
            records.removeFirst(batch.count)
            return batch
        }
    }

    /// Has what waits sent now.
    func wake() { wakeUp.yield() }

    /// Ends the wake-ups, as the program stops.
    func finish() { wakeUp.finish() }
}

/// The bounds of a queue, as `OTEL_BSP_*` and `OTEL_BLRP_*` set them.
struct BatchBounds: Sendable, Equatable {
    /// How many records may wait.
    var queue = 2048
    /// How many are sent in one go.
    var batch = 512
    /// How long records wait until they are sent.
    var delay: Duration
    /// How long one request may take.
    var timeout: Duration = .seconds(30)
}

/// The way of one signal's records to the collector: the queue that they wait in, and the sender.
struct RecordExport<Record: Sendable>: Sendable {
    let queue: ExportQueue<Record>
    let sender: OTLPSender
    /// Makes the request with some records.
    let request: @Sendable ([Record]) -> OTLPRequest

    /// Sends what waits, request by request.
    func send() async {
        while !sender.isPaused, !Task.isCancelled {
            let batch = queue.take()
            guard !batch.isEmpty else { return }
            await sender.send(request(batch), within: queue.bounds.timeout)
        }
    }

    /// Sends batches as they fill up or their time comes, until the queue is finished, and then the rest.
    func serve() async {
        await withTaskGroup { group in
            group.addTask { while (try? await Task.sleep(for: queue.bounds.delay)) != nil { queue.wake() } }
            for await _ in queue.wakeUps { await send() }
            group.cancelAll()
        }
        await send()
    }
}
