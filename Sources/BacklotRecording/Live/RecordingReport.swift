package import Backlot
import BacklotMocks

/// What a recording has become.
package struct RecordingReport: Sendable {
    /// The files.
    package private(set) var files: [RecordedFile] = []
    /// What is to say about them, beside their names: a line for each.
    package private(set) var lines: [String] = []
    /// The exchanges of recorded traffic, without secrets.
    package private(set) var exchanges: [RecordedExchange] = []
    /// What stands for their secrets.
    package private(set) var pseudonyms: Set<String> = []

    /// What is written of a document, and what was noted about it.
    package init(files: [RecordedFile], notes: [String]) {
        self.files = files
        lines = notes.map { "note: \($0)" }
    }

    /// Makes files of exchanges, without their secrets.
    ///
    /// - Parameters:
    ///   - exchanges: in the order in which they began.
    ///   - skipped: what was left out before.
    ///   - keys: the names of further secrets.
    ///   - options: how files are made; nil to make none.
    package init(
        _ exchanges: [RecordedExchange],
        skipped: [String],
        keys: [String],
        formats: [FileFormat],
        options: RouteRecording.Options?
    ) {
        var redaction = Redaction(keys: keys)
        self.exchanges = redaction.redacted(exchanges)
        pseudonyms = redaction.pseudonyms
        let routes = options.map { RouteRecording(self.exchanges, formats: formats, options: $0) }
        files = routes?.files ?? []
        lines += (routes?.folded ?? []).map { "folded: \($0)" }
        lines += redaction.report.map { "redacted: \($0)" }
        lines += (skipped + (routes?.skipped ?? [])).map { "skipped: \($0)" }
        lines += (routes?.hints ?? []).map { "note: \($0)" }
    }

    /// Adds what is to say about files beside these.
    package mutating func note(_ notes: [String]) {
        lines += notes.map { "note: \($0)" }
    }

    /// All lines, once the files are in a folder; nil where none were made.
    package func lines(into folder: String?) -> [String] {
        guard let folder else { return lines }
        let count = files.count { !$0.path.hasPrefix("__files/") }
        return files.map(\.path).sorted().map { "written: \($0)" } + lines + [
            "\(count) \(count == 1 ? "route" : "routes") in \(folder). Next: demo-server mock --routes \(folder)"
        ]
    }
}
