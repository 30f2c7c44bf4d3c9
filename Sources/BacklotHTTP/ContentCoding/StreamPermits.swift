/// Bounds how many streams are compressed at a time: each holds a state of 256 KB for as long as it lasts.
final class StreamPermits: Sendable {
    /// Leave to compress one stream, until the last reference to it is gone.
    final class Permit: Sendable {
        private let permits: StreamPermits

        fileprivate init(_ permits: StreamPermits) {
            self.permits = permits
        }

        deinit {
            permits.free.withLock { $0 += 1 }
        }
    }

    private let free: Locked<Int>

    init(_ count: Int) {
        free = Locked(count)
    }

    /// A permit; nil while all are taken.
    func take() -> Permit? {
        let isFree = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isFree ? Permit(self) : nil
    }
}
