// Nothing here is a race: many threads want a mutex at a time, and a continuation is resumed before its task waits for it. With
// an argument, they count without the mutex, too.

import Dispatch
import Glibc
import Synchronization

final class Counter: @unchecked Sendable { var count = 0 }
let counter = Counter()
let total = Mutex(0)
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 { total.withLock { $0 += 1 } }
    if CommandLine.arguments.count > 1 { counter.count += 1 }
}

func counted() async -> Counter {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            let counter = Counter()
            counter.count = 1
            continuation.resume(returning: counter)
        }
        usleep(200_000)
    }
}
func count() async -> Int { await counted().count }

print(total.withLock { $0 } + counter.count, await count())
