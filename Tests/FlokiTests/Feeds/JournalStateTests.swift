import TestSupport
import Testing

@testable import Floki

/// The decisions of a journal against a model of a database that several servers share.
@Suite(.timeLimit(.minutes(5))) struct JournalStateTests {
    @Test func `Each change is told once and in order, and missed exactly where it was forgotten`() {
        for seed in 0..<100_000 {
            var run = ModelRun(seed: UInt64(seed))
            run.run()
            if let problem = run.problem {
                Issue.record("seed \(seed): \(problem)")
                return
            }
        }
    }
}

/// Random steps of servers, connections, notices, reads and readers, one at a time. An operation that takes time, such as a read,
/// begins with one step and ends with another.
private struct ModelRun {
    /// A feed in the database.
    private struct Feed {
        let name: String
        /// The ids of each revision's changes.
        var log: [[Int]] = []
        /// The log has forgotten the revisions up to this one.
        var forgotten = 0
        /// Whether the database has lost the last revisions, which no catch-up has noticed yet.
        var isReverted = false
        var revision: Int { log.count }
        /// The last revision that the process under test knows, and the one that it knew before the current catch-up.
        var known = 0
        var former = 0
        /// The database gives the revisions up to this one twice.
        var twice = 0
    }

    private enum Connection: Equatable {
        case none, listening, reading([String: Int]), current
    }

    private struct Reader {
        /// The last revision of each feed that the reader has, and how many of its changes are to come.
        var positions: [(revision: Int, rest: Int)]
    }

    /// The reason why readers get events.
    private enum Cause {
        case catchUp(isFirst: Bool)
        /// The last revision of each feed that was forgotten at the time of the read; `Int.max` if the read can't give all events.
        case read(forgotten: [Int])
    }

    private static let mostEvents = 6

    private(set) var problem: String?
    private var random: SeededGenerator
    private var journal = JournalState(isCurrent: false, mostEvents: mostEvents)
    private var feeds = [Feed(name: "a"), Feed(name: "b")]
    private var lastID = 0
    private var connection = Connection.none
    private var hasBegun = false
    /// Notices that are on their way, by the feed's index.
    private var notices: [(feed: Int, revision: Int)] = []
    /// Changes of this process that it has not noted yet.
    private var own: [(feed: Int, revision: Int)] = []
    private var readers: [Int: Reader] = [:]
    private var reads: [JournalState.Read] = []
    /// The number of reads that come too late, because a catch-up has begun since.
    private var lateReads = 0
    /// The result of the first read.
    private var found: (events: [FeedEvent], cause: Cause)?

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func run() {
        for _ in 0..<4 where problem == nil {
            for _ in 0..<chance(8) where problem == nil { step() }
            settle()
            check()
        }
    }

    private mutating func check() {
        for feed in feeds where problem == nil {
            let isKnown = feed.twice == 0 || feed.revision > feed.twice
            if journal.revision(of: feed.name) != (isKnown ? feed.revision : nil) { fail("\(feed) is not known") }
        }
        let revisions = feeds.map(\.revision)
        for (number, reader) in readers where problem == nil && reader.positions.map(\.revision) != revisions {
            fail("the reader \(number) is at \(reader.positions), and the feeds at \(revisions)")
        }
    }

    private mutating func chance(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func fail(_ text: String) { problem = problem ?? text }

    // MARK: Steps

    private mutating func step() {
        switch chance(16) {
        case 0...3: write(chance(2), isOwn: chance(4) == 0)
        case 4, 5: connect()
        case 6: if chance(2) == 0 { lose() }
        case 7...9: deliverNotice(at: notices.isEmpty ? 0 : chance(notices.count), isLast: chance(4) > 0)
        case 10: noteOwn()
        case 11, 12: read(fails: chance(5) == 0)
        case 13: if readers.count < 3 { beginReader() }
        case 14: if chance(2) == 0, let number = readers.keys.min() { end(number) }
        default:
            let index = chance(2)
            if chance(2) == 0 { forget(index) } else if chance(2) == 0 { revert(index) }
        }
    }

    /// Lets everything end that has begun, over a connection.
    private mutating func settle() {
        while problem == nil {
            if connection != .current {
                connect()
            } else if !own.isEmpty {
                noteOwn()
            } else if !notices.isEmpty {
                deliverNotice(at: 0, isLast: true)
            } else if !reads.isEmpty {
                read(fails: false)
            } else {
                return
            }
        }
    }

    private mutating func write(_ index: Int, isOwn: Bool) {
        guard !feeds[index].isReverted else { return }
        let count = 1 + chance(2)
        feeds[index].log.append(
            (1...count).map { number in
                lastID += 1
                return lastID * 100 + count * 10 + number
            }
        )
        let revision = feeds[index].revision
        if connection != .none { notices.append((index, revision)) }
        if isOwn { own.append((index, revision)) }
    }

    private mutating func forget(_ index: Int) {
        feeds[index].forgotten += chance(feeds[index].revision - feeds[index].forgotten + 1)
    }

    /// A server without the last changes takes over.
    private mutating func revert(_ index: Int) {
        guard own.isEmpty, feeds[index].revision > 0 else { return }
        lose()
        feeds[index].log.removeLast(1 + chance(feeds[index].revision))
        feeds[index].forgotten = min(feeds[index].forgotten, feeds[index].revision)
        feeds[index].isReverted = true
    }

    private mutating func connect() {
        switch connection {
        case .none:
            connection = .listening
            journal.beginCatchUp()
            lateReads = reads.count
            for index in feeds.indices {
                feeds[index].former = max(feeds[index].former, feeds[index].known)
                feeds[index].known = 0
            }
        case .listening:
            connection = .reading(Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0.revision) }))
        case .reading(let revisions):
            connection = .current
            let actions = journal.catchUp(feeds: revisions, apps: [:])
            perform(actions, .catchUp(isFirst: !hasBegun))
            for (index, feed) in feeds.enumerated() where !hasBegun {
                let revision = revisions[feed.name] ?? 0
                if readers.values.contains(where: { $0.positions[index].revision < revision }) {
                    fail("nobody knows what a reader has missed that began before the first catch-up")
                }
            }
            hasBegun = true
            for index in feeds.indices {
                let revision = revisions[feeds[index].name] ?? 0
                if feeds[index].former > revision { feeds[index].twice = max(feeds[index].twice, feeds[index].former) }
                know(index, revision)
                feeds[index].former = 0
                feeds[index].isReverted = false
            }
        case .current: break
        }
    }

    private mutating func lose() {
        guard connection != .none else { return }
        connection = .none
        notices = []
        journal.disconnect()
    }

    private mutating func know(_ index: Int, _ revision: Int) { feeds[index].known = max(feeds[index].known, revision) }

    private mutating func deliverNotice(at place: Int, isLast: Bool) {
        guard !notices.isEmpty else { return }
        let notice = isLast ? notices.remove(at: place) : notices[place]
        perform(journal.notice(notice.revision, of: feeds[notice.feed].name), nil)
        know(notice.feed, notice.revision)
    }

    private mutating func noteOwn() {
        guard !own.isEmpty else { return }
        let change = own.removeFirst()
        journal.know(change.revision, of: feeds[change.feed].name)
        know(change.feed, change.revision)
    }

    private mutating func beginReader() {
        readers[journal.beginReader()] = Reader(positions: feeds.map { (max($0.known, $0.former), 0) })
    }

    private mutating func end(_ number: Int) {
        readers[number] = nil
        journal.endReader(number)
    }

    /// Carries out the first read, or tells the journal what it has found.
    private mutating func read(fails: Bool) {
        guard let read = reads.first else { return }
        guard let (events, cause) = found else {
            var events: [FeedEvent] = []
            var forgotten = feeds.map { $0.isReverted ? Int.max : $0.forgotten }
            for (index, feed) in feeds.enumerated() {
                let revisions = read.revisions[feed.name].map(Array.init) ?? []
                let all = revisions.filter { $0 > feed.forgotten && $0 <= feed.revision }.flatMap { revision in
                    feed.log[revision - 1].map { FeedEvent(feed: feed.name, revision: revision, kind: .saved, id: $0) }
                }
                if all.count > Self.mostEvents { forgotten[index] = .max }
                events += all.prefix(Self.mostEvents + 1)
            }
            return found = (events.sorted { $0.id < $1.id }, .read(forgotten: forgotten))
        }
        reads.removeFirst()
        found = nil
        let actions = fails ? journal.didFail(read) : journal.didRead(read, events)
        if lateReads > 0 {
            lateReads -= 1
            if !actions.isEmpty { fail("a late read is no reason for \(actions)") }
            return
        }
        if fails { return perform(actions, nil) }
        perform(actions, cause)
    }

    // MARK: Events for readers

    private mutating func perform(_ actions: [JournalState.Action], _ cause: Cause?) {
        for action in actions {
            switch action {
            case .read(let read):
                reads.append(read)
                for (index, feed) in feeds.enumerated() {
                    guard let first = read.revisions[feed.name]?.lowerBound else { continue }
                    let last = readers.values.map { $0.positions[index].revision }.min()
                    if first - 1 != last { fail("\(feed.name) is read from \(first) on, and not after \(last ?? 0)") }
                }
            case .tell(let events, let number): check(events, number, cause)
            }
        }
    }

    private mutating func check(_ events: [FeedEvent], _ number: Int, _ cause: Cause?) {
        guard let reader = readers[number], let cause else {
            return fail("the reader \(number) is told something without a reason: \(events)")
        }
        var positions = reader.positions
        var id = 0
        for event in events {
            let index = event.feed == "a" ? 0 : 1
            let position = positions[index]
            if event.kind == .missed {
                let isRight =
                    switch cause {
                    case .catchUp(let isFirst): feeds[index].isReverted || isFirst && position.revision < event.revision
                    case .read(let forgotten): forgotten[index] > position.revision
                    }
                if !isRight { fail("the reader \(number) has missed nothing after \(position): \(event)") }
                positions[index] = (event.revision, 0)
                continue
            }
            let (count, place) = (event.id / 10 % 10, event.id % 10)
            let isNext =
                position.rest == 0
                ? event.revision == position.revision + 1 && place == 1
                : event.revision == position.revision && place == count - position.rest + 1
            if !isNext || event.id <= id { fail("the reader \(number) is at \(position), but is told \(events)") }
            positions[index] = (event.revision, count - place)
            id = event.id
        }
        if positions.contains(where: { $0.rest > 0 }) {
            fail("the reader \(number) is told a part of a revision: \(events)")
        }
        readers[number] = Reader(positions: positions)
    }
}
