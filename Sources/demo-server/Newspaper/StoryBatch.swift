import Backlot
import Floki

/// Lines that are saved together: all of a feed, or none.
struct StoryBatch: Sendable {
    private var lines: [(number: Int, line: StoryLine)] = []

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
            lines.append((number, try read()))
        } catch {
            throw LineError(line: number, problem: error.description)
        }
    }

    /// Saves all entries. To save them again changes nothing that readers see.
    ///
    /// - Throws: `LineError` for an entry that clients would not accept; then nothing was saved. The errors of the store.
    func save(in app: GazetteApp) async throws {
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
        if !news.isEmpty { try await app.news.store.apply(news, to: app.news.name) }
        if !photos.isEmpty { try await app.photos.store.apply(photos, to: app.photos.name) }
    }
}

/// What is wrong with a line, and which one it is.
struct LineError: Error, Equatable, CustomStringConvertible {
    /// From 1 on.
    let line: Int
    let problem: String

    var description: String { "line \(line): \(problem)" }
}
