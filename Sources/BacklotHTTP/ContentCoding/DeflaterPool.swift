/// Keeps states for compression between answers: making and clearing one anew takes about as long as compressing a small page.
final class DeflaterPool: Sendable {
    /// How many states may lie idle: 4 MB.
    static let mostIdle = 16

    private let level: Int
    private let idle = Locked<[Deflater]>([])

    init(level: Int) {
        self.level = level
    }

    /// How many states lie idle.
    var idleCount: Int { idle.withLock { $0.count } }

    /// A state as new; nil when there is no memory for one.
    func take(_ coding: ContentCoding) -> Deflater? {
        let found = idle.withLock { idle -> Deflater? in
            guard let index = idle.lastIndex(where: { $0.coding == coding }) else { return nil }
            return idle.remove(at: index)
        }
        guard let found else { return Deflater(coding, level: level) }
        found.reset()
        return found
    }

    /// Takes a state back, whatever it has been used for.
    func giveBack(_ deflater: Deflater) {
        idle.withLock { idle in
            if idle.count < Self.mostIdle { idle.append(deflater) }
        }
    }
}
