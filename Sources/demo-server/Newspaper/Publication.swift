import Backlot
import Floki

/// Saves the lines of a file in the newspaper's feeds, in batches.
struct Publication: Sendable {
    /// The number of lines to save at a time.
    static let mostLines = 2000
    /// The number of bytes to save at a time, not counting the last line.
    static let mostBytes = 4 << 20
    /// The maximum number of wrong lines; after them, the rest of a file isn't read.
    static let mostMistakes = 20

    let app: NewspaperApp

    /// Saves lines until their end, a failure of the store, too many mistakes, or the end of the task.
    ///
    /// - Parameter progress: called after each line.
    func report(_ reader: LineReader, progress: (PublicationReport) -> Void = { _ in }) async -> PublicationReport {
        var report = PublicationReport()
        var batches: [StoryLine.Feed: StoryBatch] = [:]
        var entries = StoryEntries()
        var write: Write?
        var bytes = 0
        do {
            while report.mistakes.count < Self.mostMistakes, let line = try reader.next() {
                report.read = reader.number
                progress(report)
                do throws(LineError) {
                    let read = try Self.story(line, reader.number, &entries, isCut: reader.isCut)
                    guard let (story, size) = read else { continue }
                    batches[story.feed, default: StoryBatch()].add(story, number: reader.number)
                    bytes += size
                } catch {
                    report.mistakes.append(error)
                }
                let count = batches.values.reduce(0) { $0 + $1.count }
                if count >= Self.mostLines || bytes >= Self.mostBytes {
                    try await save(&batches, &report, &write)
                    bytes = 0
                }
            }
            try await save(&batches, &report, &write)
            if report.mistakes.count >= Self.mostMistakes { report.end = .tooManyMistakes }
        } catch {
            report.end = error is CancellationError ? .stopped : .failure("\(error)")
        }
        do { try await write?.end(&report) } catch { report.end = .failure("\(error)") }
        report.mistakes.sort { $0.line < $1.line }
        report.firstUnsaved = (batches.values.flatMap(\.numbers) + (write?.unsaved ?? [])).min()
        return report
    }

    /// Lines that are being written while the next ones are read. Each feed's lines are written together.
    private struct Write {
        typealias Changes = [(feed: StoryLine.Feed, changes: [FeedChange])]

        /// The numbers of lines that may not be saved yet.
        private var lines: [StoryLine.Feed: [Int]]
        private let task: Task<(saved: [StoryLine.Feed], problem: (any Error)?), Never>

        var unsaved: [Int] { lines.values.flatMap(\.self) }

        /// Ctrl-C doesn't interrupt it.
        init(_ changes: Changes, _ lines: [StoryLine.Feed: [Int]], _ store: any FeedStore) {
            self.lines = lines
            task = Task {
                var saved: [StoryLine.Feed] = []
                do {
                    for (feed, changes) in changes {
                        try await store.apply(changes, to: feed.rawValue)
                        saved.append(feed)
                    }
                } catch {
                    return (saved, error)
                }
                return (saved, nil)
            }
        }

        /// Waits until the lines are saved.
        mutating func end(_ report: inout PublicationReport) async throws {
            let (saved, problem) = await task.value
            for feed in saved { report.savedOf[feed, default: []] += lines.removeValue(forKey: feed) ?? [] }
            if let problem { throw problem }
        }
    }

    /// Starts writing the lines of each feed after the lines before are saved, and empties the batches.
    private func save(
        _ batches: inout [StoryLine.Feed: StoryBatch],
        _ report: inout PublicationReport,
        _ write: inout Write?
    ) async throws {
        let mistakes = report.mistakes.count
        var changes: Write.Changes = []
        var lines: [StoryLine.Feed: [Int]] = [:]
        for feed in StoryLine.Feed.allCases {
            while report.mistakes.count - mistakes < Self.mostMistakes, let batch = batches[feed], lines[feed] == nil {
                do throws(LineError) {
                    changes += try await batch.changes(in: app)
                    lines[feed] = batch.numbers
                } catch {
                    report.mistakes.append(error)
                    batches[feed]?.remove(error.line)
                }
            }
        }
        try await write?.end(&report)
        write = nil
        if Task.isCancelled { throw CancellationError() }
        for feed in lines.keys { batches[feed] = nil }
        write = Write(changes, lines, app.news.store)
    }

    /// The story in a line, and the line's size in bytes; nil for a blank line.
    ///
    /// - Parameter isCut: whether the file ends without the end of the line.
    private static func story(
        _ line: LineReader.Line,
        _ number: Int,
        _ entries: inout StoryEntries,
        isCut: Bool
    ) throws(LineError) -> (StoryLine, Int)? {
        guard case .whole(var bytes) = line else {
            let problem = "it is longer than \(StoryLine.mostBytes) bytes: shorten its texts, or leave it out"
            throw LineError(line: number, problem: problem)
        }
        // Some editors start files with these bytes.
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        do throws(StoryLineError) {
            let story = try StoryLine(parsing: bytes)
            try entries.add(story, number: number)
            return (story, bytes.count)
        } catch {
            let isCut = isCut && bytes.last != UInt8(ascii: "}")
            let end = isCut ? "; the file ends here, so it may have been cut off" : ""
            throw LineError(line: number, problem: "\(error)\(end)")
        }
    }
}

/// The results for the lines of a file.
struct PublicationReport: Sendable {
    /// The reason why no more lines were saved.
    enum End: Sendable, Equatable {
        case whole, stopped, tooManyMistakes
        case failure(String)
    }

    var end = End.whole
    /// The number of lines that were read, including wrong and empty ones.
    var read = 0
    /// The numbers of the lines that were saved in each feed.
    var savedOf: [StoryLine.Feed: [Int]] = [:]
    /// The wrong lines.
    var mistakes: [LineError] = []
    /// The first correct line that was read but not saved.
    var firstUnsaved: Int?

    var saved: Int { savedOf.values.reduce(0) { $0 + $1.count } }

    /// The number of saved lines, in words.
    var summary: String {
        let feeds = StoryLine.Feed.allCases.compactMap { feed in savedOf[feed].map { "\(feed.rawValue): \($0.count)" } }
        return feeds.isEmpty ? "saved: nothing" : "saved: \(saved.lines) (\(feeds.joined(separator: ", ")))"
    }

    /// The lines that aren't saved, in words.
    private var unsaved: String {
        guard let firstUnsaved else { return "the lines after \(read) are not saved" }
        let later = savedOf.values.joined().count { $0 > firstUnsaved }
        let rest = later == 0 ? "" : "; of those after it, \(later) \(later == 1 ? "is" : "are") saved"
        return "the first line that is not saved is \(firstUnsaved)\(rest)"
    }

    /// The reason why some lines weren't saved, and what to do; nil if all were saved.
    func problem(of file: String) -> String? {
        let again = "run the command again: lines that were saved are saved again, and replace later edits"
        switch end {
        case .stopped: return "stopped: \(unsaved); to continue, \(again)"
        case .failure(let problem): return "\(problem); \(unsaved); repair that, and \(again)"
        case .tooManyMistakes:
            return "\(mistakes.count.lines) left out; \(unsaved): is it the right file? If so, repair it, and \(again)"
        case .whole where saved == 0 && mistakes.isEmpty:
            return "\(file) \(read == 0 ? "is empty" : "has only blank lines"): write a line for each entry"
        case .whole where !mistakes.isEmpty:
            return "\(mistakes.count.lines) of \(read) left out: repair what is wrong, and \(again)"
        case .whole: return nil
        }
    }
}

extension Int {
    /// `1 line`, `2 lines`.
    fileprivate var lines: String { self == 1 ? "1 line" : "\(self) lines" }
}
