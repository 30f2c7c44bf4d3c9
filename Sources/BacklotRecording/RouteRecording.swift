package import Backlot
import BacklotMocks

/// A file that was made of a recording.
package struct RecordedFile: Sendable, Equatable {
    /// The file that says what tells clients apart.
    static let settings = "settings.yaml"

    /// The path below the folder of the routes.
    package let path: String
    /// What it holds.
    package let bytes: [UInt8]

    /// A file.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// Makes mock files of what a real backend has answered: one for each route. Secrets should have been taken out before.
package struct RouteRecording: Sendable {
    /// How files are made.
    package struct Options: Sendable {
        /// Whether paths that differ in one segment become one route with a parameter.
        package var folds = true
        /// Whether answers come as slowly as they did.
        package var withDelays = false
        /// The name of the scenario whose states the recording uses.
        package var scenario = "recording"
        /// The folder of the schemas below that of the routes, which files name for editors; nil to name none.
        package var schemas: String?
        /// What requests are matched by, beside what tells their answers apart.
        var captures = RecordedMatchers()

        /// The usual options.
        package init() {}
    }

    /// The files, by their paths.
    package private(set) var files: [RecordedFile] = []
    /// The paths that were folded: a line for each.
    package private(set) var folded: [String] = []
    /// What was left out: a line for each.
    package private(set) var skipped: [String] = []
    /// What can't be repeated, and what replaying takes: a line for each.
    package private(set) var hints: [String] = []

    /// Makes files.
    ///
    /// - Parameters:
    ///   - exchanges: in the order in which they began.
    ///   - formats: the protocols whose pages files may hold.
    package init(_ exchanges: [RecordedExchange], formats: [FileFormat], options: Options = Options()) {
        let pages = formats.lazy.compactMap { if case .pages(let format) = $0 { format } else { nil } }.first
        let kept = keep(exchanges)
        let steps = RecordedSteps(RecordedClients.unified(kept), pages: pages, options: options)
        folded = steps.folding.folded.map { "\($0.pattern) stands for \($0.values.joined(separator: ", "))" }
        let resources = steps.resources
        files = RouteFileWriter(resources, pages: pages, options: options).files
        hints = resources.notes
    }

    /// Folders are nested no deeper.
    private static let mostSegments = 30

    /// The exchanges that files can answer.
    private mutating func keep(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        var skipped = Tally<String>()
        let gets = Set(exchanges.filter { $0.method == .get }.map(\.path))
        let kept = exchanges.filter { exchange in
            guard let reason = reasonToSkip(exchange, gets) else { return true }
            skipped.add("\(exchange.title): \(reason)")
            return false
        }
        self.skipped = skipped.lines
        return kept
    }

    private func reasonToSkip(_ exchange: RecordedExchange, _ gets: Set<Substring>) -> String? {
        if ![.get, .head, .post, .put, .patch, .delete].contains(exchange.method) {
            "no file answers \(exchange.method.rawValue)"
        } else if exchange.method == .head {
            gets.contains(exchange.path) ? "a file for GET answers HEAD, too" : "no GET of it was recorded"
        } else if exchange.status == 304 {
            "304 says that the client has the answer already"
        } else if exchange.status == 206 {
            "206 is part of an answer; the whole one is recorded when it is asked for"
        } else if exchange.path.utf8.count(where: { $0 == UInt8(ascii: "/") }) > Self.mostSegments {
            "the path has more than \(Self.mostSegments) segments"
        } else if exchange.responseBody.count > RoutesFolder.largestFile {
            "the answer has more than \(RoutesFolder.largestFile) bytes"
        } else if !(200...599).contains(exchange.status) {
            "status \(exchange.status)"
        } else {
            nil
        }
    }
}

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
        let count = files.count { !$0.path.hasPrefix("__files/") && $0.path != RecordedFile.settings }
        return files.map(\.path).sorted().map { "written: \($0)" } + lines + [
            "\(count) \(count == 1 ? "route" : "routes") in \(folder). Next: demo-server mock --routes \(folder)"
        ]
    }
}
