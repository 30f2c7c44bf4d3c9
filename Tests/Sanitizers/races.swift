// Nothing here is a race; many threads want a mutex at a time. With an argument, they count without it, too.

import Dispatch
import Synchronization

final class Counter: @unchecked Sendable { var count = 0 }
let counter = Counter()
let total = Mutex(0)
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 { total.withLock { $0 += 1 } }
    if CommandLine.arguments.count > 1 { counter.count += 1 }
}
print(total.withLock { $0 } + counter.count)
