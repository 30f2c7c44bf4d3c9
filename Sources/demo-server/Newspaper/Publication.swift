import Backlot
import Floki

/// Saves the lines of a file in the gazette's feeds, in batches.
struct Publication: Sendable {
    /// How many lines are saved at a time.
    static let mostLines = 500
    /// How many bytes of lines are saved at a time, beside the last line.
    static let mostBytes = 4 << 20
    /// After how many wrong lines the rest of a file isn't read.
    static let mostMistakes = 20

    let app: GazetteApp

    /// Saves lines until their end, a failure of the store, too many mistakes, or the end of the task.
    ///
    /// - Parameter progress: is called after each line.
    func report(_ reader: LineReader, progress: (PublicationReport) -> Void = { _ in }) async -> PublicationReport {
        var report = PublicationReport()
        var batches: [StoryLine.Feed: StoryBatch] = [:]
        var bytes = 0
        do {
            while report.mistakes.count < Self.mostMistakes, let line = try reader.next() {
                report.read = reader.number
                progress(report)
                do throws(LineError) {
                    guard let (story, size) = try Self.story(line, reader.number, isCut: reader.isCut) else { continue }
                    batches[story.feed, default: StoryBatch()].add(story, number: reader.number)
                    bytes += size
                } catch {
                    report.mistakes.append(error)
                }
                let count = batches.values.reduce(0) { $0 + $1.count }
                if count >= Self.mostLines || bytes >= Self.mostBytes {
                    try await save(&batches, &report)
                    bytes = 0
                }
            }
            try await save(&batches, &report)
            if report.mistakes.count >= Self.mostMistakes { report.end = .tooManyMistakes }
        } catch is CancellationError {
            report.end = .stopped
        } catch {
            report.end = .failure("\(error)")
        }
        report.mistakes.sort { $0.line < $1.line }
        report.firstUnsaved = batches.values.flatMap(\.numbers).min()
        return report
    }

    /// Saves the lines of each feed as a whole, and takes them away.
    private func save(_ batches: inout [StoryLine.Feed: StoryBatch], _ report: inout PublicationReport) async throws {
        let mistakes = report.mistakes.count
        for feed in StoryLine.Feed.allCases {
            while report.mistakes.count - mistakes < Self.mostMistakes, let batch = batches[feed], batch.count > 0 {
                if Task.isCancelled { throw CancellationError() }
                let app = app
                do {
                    // Ctrl-C doesn't end it in the middle.
                    try await Task { try await batch.save(in: app) }.value
                    report.savedOf[feed, default: []] += batch.numbers
                    batches[feed] = nil
                } catch let error as LineError {
                    report.mistakes.append(error)
                    batches[feed]?.remove(error.line)
                }
            }
        }
    }

    /// The story of a line, and how many bytes it has; nil for a line of blanks.
    ///
    /// - Parameter isCut: whether the file ends without the end of the line.
    private static func story(
        _ line: LineReader.Line,
        _ number: Int,
        isCut: Bool
    ) throws(LineError) -> (StoryLine, Int)? {
        guard case .whole(var bytes) = line else {
            let problem = "it is longer than \(StoryLine.mostBytes) bytes: shorten its texts, or leave it out"
            throw LineError(line: number, problem: problem)
        }
        // Some editors begin a file so.
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        do throws(StoryLineError) {
            return (try StoryLine(parsing: bytes), bytes.count)
        } catch {
            let isCut = isCut && bytes.last != UInt8(ascii: "}")
            let end = isCut ? "; the file ends here, so it may have been cut off" : ""
            throw LineError(line: number, problem: "\(error)\(end)")
        }
    }
}

/// What became of the lines of a file.
struct PublicationReport: Sendable {
    /// Why no more lines were saved.
    enum End: Sendable, Equatable {
        case whole, stopped, tooManyMistakes
        case failure(String)
    }

    var end = End.whole
    /// How many lines were read, wrong and empty ones too.
    var read = 0
    /// The numbers of the lines that were saved in each feed.
    var savedOf: [StoryLine.Feed: [Int]] = [:]
    /// The wrong lines.
    var mistakes: [LineError] = []
    /// The first right line that was read and not saved.
    var firstUnsaved: Int?

    var saved: Int { savedOf.values.reduce(0) { $0 + $1.count } }

    /// What was saved.
    var summary: String {
        let feeds = StoryLine.Feed.allCases.compactMap { feed in savedOf[feed].map { "\(feed.rawValue): \($0.count)" } }
        return feeds.isEmpty ? "saved: nothing" : "saved: \(saved.lines) (\(feeds.joined(separator: ", ")))"
    }

    /// From where on lines are not saved.
    private var unsaved: String {
        guard let firstUnsaved else { return "the lines after \(read) are not saved" }
        let later = savedOf.values.joined().count { $0 > firstUnsaved }
        let rest = later == 0 ? "" : "; of those after it, \(later) \(later == 1 ? "is" : "are") saved"
        return "the first line that is not saved is \(firstUnsaved)\(rest)"
    }

    /// Why not everything was saved, and what to do; nil if everything was.
    func problem(of file: String) -> String? {
        let again = "run the command again: lines that were saved are saved again, and replace later edits"
        switch end {
        case .stopped: return "stopped: \(unsaved); to go on, \(again)"
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
