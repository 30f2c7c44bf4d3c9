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
        var lines: [StoryFeed: [NumberedLine]] = [:]
        var bytes = 0
        do {
            while report.mistakes.count < Self.mostMistakes, let line = try reader.next() {
                report.read = reader.number
                progress(report)
                do throws(LineError) {
                    let numbered = try NumberedLine(line, number: reader.number, isCut: reader.isCut)
                    guard let numbered else { continue }
                    lines[numbered.feed, default: []].append(numbered)
                    bytes += numbered.bytes
                } catch {
                    report.mistakes.append(error)
                }
                let count = lines.values.reduce(0) { $0 + $1.count }
                if count >= Self.mostLines || bytes >= Self.mostBytes {
                    try await save(&lines, &report)
                    bytes = 0
                }
            }
            try await save(&lines, &report)
            if report.mistakes.count >= Self.mostMistakes { report.end = .tooManyMistakes }
        } catch is CancellationError {
            report.end = .stopped
        } catch {
            report.end = .failure("\(error)")
        }
        report.mistakes.sort { $0.line < $1.line }
        report.firstUnsaved = lines.values.joined().map(\.number).min()
        return report
    }

    /// Saves the lines of each feed as a whole, and takes them away.
    private func save(_ lines: inout [StoryFeed: [NumberedLine]], _ report: inout PublicationReport) async throws {
        let mistakes = report.mistakes.count
        for feed in StoryFeed.allCases {
            while report.mistakes.count - mistakes < Self.mostMistakes, let batch = lines[feed], !batch.isEmpty {
                if Task.isCancelled { throw CancellationError() }
                let app = app
                do {
                    // Ctrl-C doesn't end it in the middle.
                    try await Task { try await Self.batch(batch).save(in: app) }.value
                    report.savedOf[feed, default: []] += batch.map(\.number)
                    lines[feed] = nil
                } catch let error as LineError {
                    report.mistakes.append(error)
                    lines[feed] = batch.filter { $0.number != error.line }
                }
            }
        }
    }

    private static func batch(_ lines: [NumberedLine]) -> StoryBatch {
        var batch = StoryBatch()
        for line in lines { batch.add(line.line, number: line.number) }
        return batch
    }
}

/// The feeds of the gazette.
enum StoryFeed: CaseIterable {
    case news, photos

    var name: String {
        switch self {
        case .news: GazetteApp.newsName
        case .photos: GazetteApp.photosName
        }
    }
}

/// A right line of a file, and which one it is.
private struct NumberedLine: Sendable {
    let line: StoryLine
    /// From 1 on.
    let number: Int
    let bytes: Int

    var feed: StoryFeed {
        switch line.entry {
        case .item: .news
        case .thumb: .photos
        }
    }

    /// - Parameter isCut: whether the file ends without the end of the line.
    /// - Returns: nil for a line of blanks.
    init?(_ line: LineReader.Line, number: Int, isCut: Bool) throws(LineError) {
        guard case .whole(var bytes) = line else {
            let problem = "it is longer than \(StoryLine.mostBytes) bytes: shorten its texts, or leave it out"
            throw LineError(line: number, problem: problem)
        }
        // Some editors begin a file so.
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        do throws(LineMistake) {
            self.line = try StoryLine(parsing: bytes)
        } catch {
            let end =
                isCut && bytes.last != UInt8(ascii: "}") ? "; the file ends here, so it may have been cut off" : ""
            throw LineError(line: number, problem: "\(error)\(end)")
        }
        self.number = number
        self.bytes = bytes.count
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
    var savedOf: [StoryFeed: [Int]] = [:]
    /// The wrong lines.
    var mistakes: [LineError] = []
    /// The first right line that was read and not saved.
    var firstUnsaved: Int?

    var saved: Int { savedOf.values.reduce(0) { $0 + $1.count } }

    /// What was saved.
    var summary: String {
        let feeds = StoryFeed.allCases.compactMap { feed in savedOf[feed].map { "\(feed.name): \($0.count)" } }
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
