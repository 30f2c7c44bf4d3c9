/// The decisions of a ``FeedJournal``: the changes to read, and the events of each reader. It does no I/O.
///
/// A store that makes all changes itself calls ``tell(_:)``. A store with a shared database calls ``beginCatchUp()`` and
/// ``catchUp(feeds:apps:)`` for each connection that listens. It calls ``notice(_:of:)`` for each notice, in any order, late or
/// repeated, and reads the changes that the journal requests.
package struct JournalState: Sendable {
    /// A task for the journal.
    package enum Action: Equatable, Sendable {
        /// Gives events to a reader.
        case tell([FeedEvent], reader: Int)
        /// Reads changes, then calls ``didRead(_:_:)`` or ``didFail(_:)``.
        case read(Read)
    }

    /// Changes to read from the log of the database. One read is open at a time.
    package struct Read: Equatable, Sendable {
        let number: Int
        /// The wanted revisions of each feed. Later ones wait, so that the order of the notices stays that of all feeds' events.
        package let revisions: [String: ClosedRange<Int>]
    }

    private struct Reader {
        let number: Int
        /// The known revision of each feed when the reader began. It only gets later ones.
        var start: [String: Int]
    }

    /// The number of events that a reader may fall behind, and that a read returns for each feed.
    package static let mostEvents = 10_000

    private let mostEvents: Int
    private var feeds = KnownRevisions()
    private var apps = KnownRevisions()
    /// Whether the changes of all servers are known.
    private var isCurrent: Bool
    /// Whether the revisions of the database have been read. Before that, the revision at which a reader begins is unknown.
    private var hasBegun: Bool
    private var readers: [Reader] = []
    private var lastReader = 0
    /// The last revision of each feed that the readers have the events for.
    private var told: [String: Int] = [:]
    /// The last revision of each feed for the next read.
    private var wanted: [String: Int] = [:]
    private var reading: Read?
    private var lastRead = 0

    /// - Parameter isCurrent: true for a store that needs no other server to know its changes.
    package init(isCurrent: Bool, mostEvents: Int = JournalState.mostEvents) {
        self.isCurrent = isCurrent
        self.mostEvents = mostEvents
        hasBegun = isCurrent
    }

    // MARK: Knowledge

    /// The revision of a feed; 0 for an unknown feed, nil while it is unknown, and while the database repeats lost revisions.
    package func revision(of feed: String) -> Int? { isCurrent ? feeds.revision(of: feed) : nil }

    /// The version of an app's record, as ``revision(of:)``.
    package func version(of app: String) -> Int? { isCurrent ? apps.revision(of: app) : nil }

    /// Notes a revision before its events follow, for example after a change by this process.
    package mutating func know(_ revision: Int, of feed: String) { feeds.know(revision, of: feed) }

    /// Notes the version of an app's record.
    package mutating func know(version: Int, of app: String) { apps.know(version, of: app) }

    // MARK: Readers

    /// Begins a reader of the events from now on, and returns its number.
    package mutating func beginReader() -> Int {
        lastReader += 1
        readers.append(Reader(number: lastReader, start: feeds.highest))
        return lastReader
    }

    /// Forgets a reader.
    package mutating func endReader(_ number: Int) { readers.removeAll { $0.number == number } }

    /// Gives events to the readers: all events of a revision at once, and each feed's events in the order of its revisions. Drops
    /// repeated events.
    package mutating func tell(_ events: [FeedEvent]) -> [Action] {
        let former = told
        let events = events.filter { $0.revision > former[$0.feed] ?? 0 }
        for event in events {
            feeds.know(event.revision, of: event.feed)
            told[event.feed] = max(told[event.feed] ?? 0, event.revision)
        }
        return readers.compactMap { reader in
            Self.tell(events.filter { $0.revision > reader.start[$0.feed] ?? 0 }, reader)
        }
    }

    private static func tell(_ events: [FeedEvent], _ reader: Reader) -> Action? {
        events.isEmpty ? nil : .tell(events, reader: reader.number)
    }

    // MARK: A database that several servers share

    /// Notes that a connection listens, before the store reads the revisions. They may be lower than before: after a failover to a
    /// server without the last changes, or after a backup was restored.
    package mutating func beginCatchUp() {
        isCurrent = false
        reading = nil
        wanted = [:]
        feeds.forget()
        apps.forget()
    }

    /// Notes all revisions and versions, read after ``beginCatchUp()``. Readers have missed changes of a feed with a lower revision
    /// than before, and of each feed if they began before the first catch-up.
    package mutating func catchUp(feeds revisions: [String: Int], apps versions: [String: Int]) -> [Action] {
        let behind = feeds.resume(with: revisions)
        _ = apps.resume(with: versions)
        let missed = hasBegun ? behind : Set(revisions.keys)
        (isCurrent, hasBegun) = (true, true)
        var events = [[FeedEvent]](repeating: [], count: readers.count)
        for feed in missed.sorted() {
            let revision = revisions[feed] ?? 0
            told[feed] = revision
            for index in readers.indices where behind.contains(feed) || readers[index].start[feed] ?? 0 < revision {
                readers[index].start[feed] = revision
                events[index].append(FeedEvent(feed: feed, revision: revision, kind: .missed))
            }
        }
        wanted.merge(revisions) { max($0, $1) }
        return zip(events, readers).compactMap(Self.tell) + read()
    }

    /// Notes that the connection is lost.
    package mutating func disconnect() { isCurrent = false }

    /// Notes that a server has changed a feed.
    package mutating func notice(_ revision: Int, of feed: String) -> [Action] {
        know(revision, of: feed)
        wanted[feed] = max(wanted[feed] ?? 0, revision)
        return read()
    }

    /// The next read.
    private mutating func read() -> [Action] {
        guard isCurrent, reading == nil else { return [] }
        let revisions = wanted.compactMap { feed, revision -> (String, ClosedRange<Int>)? in
            guard let start = readers.map({ $0.start[feed] ?? 0 }).min() else { return nil }
            let last = max(told[feed] ?? 0, start)
            return last < revision ? (feed, last + 1...revision) : nil
        }
        wanted = [:]
        guard !revisions.isEmpty else { return [] }
        lastRead += 1
        let read = Read(number: lastRead, revisions: Dictionary(uniqueKeysWithValues: revisions))
        reading = read
        return [.read(read)]
    }

    /// Takes the changes from a read.
    ///
    /// - Parameter events: the events of each feed's wanted revisions, in the order of revisions, up to one more than ``mostEvents``;
    ///   fewer if the log has dropped the oldest.
    package mutating func didRead(_ read: Read, _ events: [FeedEvent]) -> [Action] {
        guard read == reading else { return [] }
        reading = nil
        /// The last revision of each feed with changes that the log has lost.
        var forgotten: [String: Int] = [:]
        let found = Dictionary(grouping: events, by: \.feed)
        for (feed, revisions) in read.revisions {
            let events = found[feed] ?? []
            var previous = revisions.lowerBound - 1
            for event in events {
                // Each revision has changes.
                if event.revision > previous + 1 { forgotten[feed] = event.revision - 1 }
                previous = event.revision
            }
            if previous < revisions.upperBound || events.count > mostEvents { forgotten[feed] = revisions.upperBound }
            told[feed] = revisions.upperBound
        }
        return readers.compactMap { reader in
            let missed = forgotten.filter { $0.value > reader.start[$0.key] ?? 0 }
            let gap = missed.keys.sorted().map { feed in
                FeedEvent(feed: feed, revision: read.revisions[feed]?.upperBound ?? 0, kind: .missed)
            }
            let rest = events.filter { missed[$0.feed] == nil && $0.revision > reader.start[$0.feed] ?? 0 }
            return Self.tell(gap + rest, reader)
        } + self.read()
    }

    /// Reads again after a failure.
    package mutating func didFail(_ read: Read) -> [Action] {
        guard read == reading else { return [] }
        reading = nil
        wanted.merge(read.revisions.mapValues(\.upperBound)) { max($0, $1) }
        return self.read()
    }
}

/// The revisions of feeds, or the versions of apps' records, that a process knows.
private struct KnownRevisions {
    private var known: [String: Int] = [:]
    /// The revisions from before a catch-up; empty after it.
    private var former: [String: Int] = [:]
    /// The last revisions that the database has lost. It assigns the revisions up to them a second time.
    private var lost: [String: Int] = [:]

    /// The highest revisions that were ever known.
    var highest: [String: Int] { former.isEmpty ? known : known.merging(former) { max($0, $1) } }

    func revision(of name: String) -> Int? {
        let revision = known[name] ?? 0
        return lost[name].map { revision > $0 } ?? true ? revision : nil
    }

    mutating func know(_ revision: Int, of name: String) { known[name] = max(known[name] ?? 0, revision) }

    mutating func forget() {
        former = highest
        known = [:]
    }

    /// - Returns: the names with lower revisions than before.
    mutating func resume(with revisions: [String: Int]) -> Set<String> {
        known.merge(revisions) { max($0, $1) }
        let behind = former.filter { revisions[$0.key] ?? 0 < $0.value }
        lost.merge(behind) { max($0, $1) }
        former = [:]
        return Set(behind.keys)
    }
}
