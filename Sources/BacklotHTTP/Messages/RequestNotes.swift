internal import Synchronization

/// Notes that higher modules keep about a request, such as its route. Most are numbers, which need neither a lock nor memory. All
/// copies of a request share them.
package struct RequestNotes: Sendable {
    private let head: RequestHead

    fileprivate init(_ head: RequestHead) { self.head = head }

    /// The number of its observer; 0 without one.
    package var observer: Int {
        get { head.noted.observer.load(ordering: .acquiring) }
        nonmutating set { head.noted.observer.store(newValue, ordering: .releasing) }
    }

    /// The id that the server gave the request, or a new one. If two tasks need it at once, the first one's counts.
    func id(orNew make: () -> UInt64) -> UInt64 {
        let known = head.noted.id.load(ordering: .relaxed)
        guard known == 0 else { return known }
        let new = make()
        let (isFirst, other) = head.noted.id.compareExchange(expected: 0, desired: new, ordering: .relaxed)
        return isFirst ? new : other
    }

    /// The number of the request's route; 0 without one.
    package var route: Int {
        get { head.noted.route.load(ordering: .relaxed) }
        nonmutating set { head.noted.route.store(newValue, ordering: .relaxed) }
    }

    /// A part of the hash of the request's session; 0 without a session.
    package var session: UInt64 {
        get { head.noted.session.load(ordering: .relaxed) }
        nonmutating set { head.noted.session.store(newValue, ordering: .relaxed) }
    }

    /// The number of the middleware that gives the request a session: 0 without one, negative after its end.
    package var sessions: Int {
        get { head.noted.sessions.load(ordering: .sequentiallyConsistent) }
        nonmutating set { head.noted.sessions.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The objects noted; nil for most requests.
    package var objects: NotedObjects? {
        // Cheaper to check than the reference.
        head.noted.hasObjects.load(ordering: .sequentiallyConsistent) ? head.noted.objects.load() : nil
    }

    /// Replaces the current session's object by another session's.
    ///
    /// - Returns: the replaced session; nil without one.
    package func exchangeSession(_ new: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
        objects?.kinds.withLock { kinds in
            defer { kinds.session = new }
            return kinds.session
        }
    }

    /// Changes the noted objects, under a lock.
    package func change<Result>(_ change: (inout NotedObjects.Kinds) -> Result) -> Result {
        let objects = objects ?? head.noted.objects.storeIfNil(NotedObjects())
        defer { head.noted.hasObjects.store(true, ordering: .sequentiallyConsistent) }
        return objects.kinds.withLock(change)
    }
}

/// The notes about a request that are objects. Few requests have one.
package final class NotedObjects: Sendable {
    /// An object of each kind.
    package struct Kinds: Sendable {
        package var session: (any AnyObject & Sendable)?
        package var observation: (any AnyObject & Sendable)?
    }

    package let kinds = Locked(Kinds())
}

/// Objects that requests refer to by number. It holds them weakly.
package struct NumberedObjects<Object: AnyObject & Sendable>: Sendable {
    private struct Weak {
        weak var object: Object?
    }

    private let known = Locked<[Weak]>([])

    package init() {}

    /// A new number for an object, counted from 1.
    package func makeNumber() -> Int {
        known.withLock { known in
            known.append(Weak())
            return known.count
        }
    }

    /// The object with a number; nil for 0, and after its release.
    package subscript(number: Int) -> Object? {
        get { number == 0 ? nil : known.withLock { $0[number - 1].object } }
        nonmutating set { known.withLock { $0[number - 1].object = newValue } }
    }
}

extension Request {
    /// The notes of the request.
    package var notes: RequestNotes { RequestNotes(head.original ?? head) }
}

/// The numbers of ``RequestNotes``.
struct NotedNumbers: ~Copyable, Sendable {
    let observer = Atomic(0)
    let id = Atomic<UInt64>(0)
    let route = Atomic(0)
    let session = Atomic<UInt64>(0)
    let sessions = Atomic(0)
    let objects = AtomicLazyReference<NotedObjects>()
    let hasObjects = Atomic(false)
}
