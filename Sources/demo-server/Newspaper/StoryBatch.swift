import Backlot
import Floki

/// Lines that are saved together: all of a feed, or none.
struct StoryBatch: Sendable {
    private var lines: [(number: Int, line: StoryLine)] = []
    private var entries = StoryEntries()

    /// How many entries there are.
    var count: Int { lines.count }
    /// Which lines they are, from 1 on.
    var numbers: [Int] { lines.map(\.number) }

    /// Leaves a line out.
    mutating func remove(_ number: Int) { lines.removeAll { $0.number == number } }

    /// Adds a line that was read.
    mutating func add(_ line: StoryLine, number: Int) { lines.append((number, line)) }

    /// Adds what is read as a line.
    ///
    /// - Throws: `LineError`; then nothing was added.
    mutating func add(number: Int, _ read: () throws(StoryLineError) -> StoryLine) throws(LineError) {
        do throws(StoryLineError) {
            let line = try read()
            try entries.add(line, number: number)
            lines.append((number, line))
        } catch {
            throw LineError(line: number, problem: error.description)
        }
    }

    /// Saves all entries. To save them again changes nothing that readers see.
    ///
    /// - Throws: `LineError` for an entry that clients would not accept; then nothing was saved. The errors of the store.
    func save(in app: GazetteApp) async throws {
        for (feed, changes) in try changes(in: app) { try await app.news.store.apply(changes, to: feed.rawValue) }
    }

    /// What saves all entries, for each feed that has some.
    ///
    /// - Throws: `LineError` for an entry that clients would not accept.
    func changes(in app: GazetteApp) throws(LineError) -> [(feed: StoryLine.Feed, changes: [FeedChange])] {
        var news: [FeedChange] = []
        var photos: [FeedChange] = []
        for (number, line) in lines {
            do throws(FeedError) {
                switch line.entry {
                case .item(let item):
                    for language in line.language.map({ [$0] }) ?? GazetteApp.languages {
                        news += try app.news.changes(saving: [item], language: language)
                    }
                case .thumb(let thumb):
                    photos += try app.photos.changes(saving: [thumb], language: FeedStream.shared)
                }
            } catch {
                throw LineError(line: number, problem: error.description)
            }
        }
        return [(.news, news), (.photos, photos)].filter { !$0.1.isEmpty }
    }
}

/// The entries of some lines. An entry has one line: of two, only the later would count.
struct StoryEntries: Sendable {
    /// The lines by the ids of their entries, for each feed and language.
    private var lines: [String: [Int: Int]] = [:]

    /// - Throws: `StoryLineError` for an entry that another line has.
    mutating func add(_ line: StoryLine, number: Int) throws(StoryLineError) {
        let streams = (line.language.map { [$0] } ?? GazetteApp.languages).map { "\(line.feed) \($0)" }
        for stream in streams {
            guard let other = lines[stream]?[line.id] else { continue }
            throw StoryLineError("id", "is \(line.id), which line \(other) has too: give one of them another")
        }
        for stream in streams { lines[stream, default: [:]][line.id] = number }
    }
}

/// What is wrong with a line, and which one it is.
struct LineError: Error, Equatable, CustomStringConvertible {
    /// From 1 on.
    let line: Int
    let problem: String

    var description: String { "line \(line): \(problem)" }
}
