import Backlot
import Floki

/// Lines that are saved together: all lines of a feed, or none after an error.
struct StoryBatch: Sendable {
    private var lines: [(number: Int, line: StoryLine)] = []
    private var entries = StoryEntries()

    /// The number of entries.
    var count: Int { lines.count }
    /// The numbers of the lines, from 1 on.
    var numbers: [Int] { lines.map(\.number) }

    /// Leaves a line out.
    mutating func remove(_ number: Int) { lines.removeAll { $0.number == number } }

    /// Adds a line that was read.
    mutating func add(_ line: StoryLine, number: Int) { lines.append((number, line)) }

    /// Adds the line that a function reads.
    ///
    /// - Throws: `LineError`. The line is then not added.
    mutating func add(number: Int, _ read: () throws(StoryLineError) -> StoryLine) throws(LineError) {
        do throws(StoryLineError) {
            let line = try read()
            try entries.add(line, number: number)
            lines.append((number, line))
        } catch {
            throw LineError(line: number, problem: error.description)
        }
    }

    /// Saves all entries. Saving them again has no effect for readers.
    ///
    /// - Throws: `LineError` for an entry that clients would not accept, before anything is saved; and the errors of the store.
    func save(in app: NewspaperApp) async throws {
        for (feed, changes) in try await changes(in: app) { try await app.news.store.apply(changes, to: feed.rawValue) }
    }

    /// The changes that save all entries, for each feed that has some. Several threads make them.
    ///
    /// - Throws: `LineError` for the first entry that clients would not accept.
    func changes(in app: NewspaperApp) async throws(LineError) -> [(feed: StoryLine.Feed, changes: [FeedChange])] {
        let made = await withTaskGroup { group in
            for start in stride(from: 0, to: lines.count, by: Self.share) {
                let part = lines[start..<min(lines.count, start + Self.share)]
                group.addTask { (start, part.map { Self.changes(of: $0.line, in: app) }) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.flatMap(\.value)
        }
        var changes: [StoryLine.Feed: [FeedChange]] = [:]
        for (line, made) in zip(lines, made) {
            do throws(FeedError) {
                changes[line.line.feed, default: []] += try made.get()
            } catch {
                throw LineError(line: line.number, problem: error.description)
            }
        }
        return StoryLine.Feed.allCases.compactMap { feed in changes[feed].map { (feed, $0) } }
    }

    /// The number of lines that a task makes into changes.
    private static let share = 250

    private static func changes(of line: StoryLine, in app: NewspaperApp) -> Result<[FeedChange], FeedError> {
        Result { () throws(FeedError) in
            switch line.entry {
            case .item(let item):
                try app.news.changes(saving: [item], languages: line.language.map { [$0] } ?? NewspaperApp.languages)
            case .thumb(let thumb): try app.photos.changes(saving: [thumb], languages: [FeedStream.shared])
            }
        }
    }
}

/// The entries of some lines. Each entry may have only one line, since the later of two would replace the first.
struct StoryEntries: Sendable {
    /// The lines by the ids of their entries, for each feed and language.
    private var lines: [String: [Int: Int]] = [:]

    /// - Throws: `StoryLineError` for an entry that another line has.
    mutating func add(_ line: StoryLine, number: Int) throws(StoryLineError) {
        let streams = (line.language.map { [$0] } ?? NewspaperApp.languages).map { "\(line.feed) \($0)" }
        for stream in streams {
            guard let other = lines[stream]?[line.id] else { continue }
            throw StoryLineError("id", "is \(line.id), which line \(other) has too: give one of them another")
        }
        for stream in streams { lines[stream, default: [:]][line.id] = number }
    }
}

/// A mistake in a line, and the line's number.
struct LineError: Error, Equatable, CustomStringConvertible {
    /// The line's number, from 1 on.
    let line: Int
    let problem: String

    var description: String { "line \(line): \(problem)" }
}
