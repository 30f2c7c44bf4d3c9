internal import Synchronization

/// The notes of modules above about a request, such as its route. Most are numbers, which take neither a lock nor memory. All copies
/// of a request share them.
package struct RequestNotes: Sendable {
    private let head: RequestHead

    fileprivate init(_ head: RequestHead) { self.head = head }

    /// The number of its observer; 0 without one.
    package var observer: Int {
        get { head.noted.observer.load(ordering: .acquiring) }
        nonmutating set { head.noted.observer.store(newValue, ordering: .releasing) }
    }

    /// The id that the server gave the request, or a new one: of two tasks that need it at once, the first one's counts.
    func id(orNew make: () -> UInt64) -> UInt64 {
        let known = head.noted.id.load(ordering: .relaxed)
        guard known == 0 else { return known }
        let new = make()
        let (isFirst, other) = head.noted.id.compareExchange(expected: 0, desired: new, ordering: .relaxed)
        return isFirst ? new : other
    }

    /// The number of its route; 0 for none.
    package var route: Int {
        get { head.noted.route.load(ordering: .relaxed) }
        nonmutating set { head.noted.route.store(newValue, ordering: .relaxed) }
    }

    /// A part of its session's hash; 0 for none.
    package var session: UInt64 {
        get { head.noted.session.load(ordering: .relaxed) }
        nonmutating set { head.noted.session.store(newValue, ordering: .relaxed) }
    }

    /// An object for notes that few requests have.
    package var object: (any AnyObject & Sendable)? {
        guard head.noted.hasObject.load(ordering: .acquiring) else { return nil }
        return RequestHead.notedObjects.withLock { $0[ObjectIdentifier(head)] }
    }

    /// Puts another object in the present one's place.
    package func change(_ change: ((any AnyObject & Sendable)?) -> (any AnyObject & Sendable)?) {
        RequestHead.notedObjects.withLock { $0[ObjectIdentifier(head)] = change($0[ObjectIdentifier(head)]) }
        head.noted.hasObject.store(true, ordering: .releasing)
    }
}

extension Request {
    /// Its notes.
    package var notes: RequestNotes { RequestNotes(head.original ?? head) }
}

/// The numbers of ``RequestNotes``.
struct NotedNumbers: ~Copyable, Sendable {
    let observer = Atomic(0)
    let id = Atomic<UInt64>(0)
    let route = Atomic(0)
    let session = Atomic<UInt64>(0)
    let hasObject = Atomic(false)
}
