package import Backlot
import BacklotMocks

/// A file made from a recording.
package struct RecordedFile: Sendable, Equatable {
    /// The file that sets how clients are distinguished.
    static let settings = "settings.yaml"

    /// The path below the folder of the routes.
    package let path: String
    /// The contents.
    package let bytes: [UInt8]

    /// Creates a file.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// Makes mock files from the responses of a real backend, one for each route. Secrets should be removed first.
package struct RouteRecording: Sendable {
    /// The options for making files.
    package struct Options: Sendable {
        /// Whether paths that differ in one segment become one route with a parameter.
        package var folds = true
        /// Whether responses keep their recorded delays.
        package var withDelays = false
        /// The name of the scenario for the recording's states.
        package var scenario = "recording"
        /// The folder of the schemas, below the folder of the routes. Files name it for editors; with nil, they don't.
        package var schemas: String?
        /// The matchers to add to requests, beyond those that distinguish their responses.
        var captures = RecordedMatchers()

        /// Creates the default options.
        package init() {}
    }

    /// The files, by path.
    package private(set) var files: [RecordedFile] = []
    /// The folded paths, one line each.
    package private(set) var folded: [String] = []
    /// The omitted exchanges, one line each.
    package private(set) var skipped: [String] = []
    /// The limits of the recording, and hints for replaying it, one line each.
    package private(set) var hints: [String] = []

    /// Makes files.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges by beginning.
    ///   - formats: the protocols of pages that files may contain.
    package init(_ exchanges: [RecordedExchange], formats: [FileFormat], options: Options = Options()) {
        let pages = formats.lazy.compactMap { if case .pages(let format) = $0 { format } else { nil } }.first
        let kept = keep(exchanges)
        let steps = RecordedSteps(RecordedClients.unified(kept), pages: pages, options: options)
        folded = steps.folding.folded.map { "\($0.pattern) stands for \($0.values.joined(separator: ", "))" }
        let resources = steps.resources
        files = RouteFileWriter(resources, pages: pages, options: options).files
        hints = resources.notes
    }

    /// The maximum depth of folders.
    private static let mostSegments = 30

    /// The exchanges that files can reproduce.
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
            "files can't respond to \(exchange.method.rawValue)"
        } else if exchange.method == .head {
            gets.contains(exchange.path) ? "a file for GET also responds to HEAD" : "no GET of it was recorded"
        } else if exchange.status == 304 {
            "304 means that the client has the response already"
        } else if exchange.status == 206 {
            "206 is part of a response; request the complete one to record it"
        } else if exchange.path.utf8.count(where: { $0 == UInt8(ascii: "/") }) > Self.mostSegments {
            "the path has more than \(Self.mostSegments) segments"
        } else if exchange.path.contains("//") {
            "the path has an empty segment, which no file's name can have"
        } else if exchange.responseBody.count > RoutesFolder.largestFile {
            "the response has more than \(RoutesFolder.largestFile) bytes"
        } else if exchange.status == 101, exchange.responseBody.isEmpty {
            "the messages of the WebSocket weren't recorded"
        } else if !(200...599).contains(exchange.status), exchange.status != 101 {
            "status \(exchange.status)"
        } else {
            nil
        }
    }
}

/// The result of a recording.
package struct RecordingReport: Sendable {
    /// The files.
    package private(set) var files: [RecordedFile] = []
    /// Notes about the files, one line each.
    package private(set) var lines: [String] = []
    /// The exchanges of recorded traffic, without secrets.
    package private(set) var exchanges: [RecordedExchange] = []
    /// The pseudonyms of their secrets.
    package private(set) var pseudonyms: Set<String> = []

    /// Creates a report from a document's files, with notes about it.
    package init(files: [RecordedFile], notes: [String]) {
        self.files = files
        lines = notes.map { "note: \($0)" }
    }

    /// Makes files from exchanges, without their secrets.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges by beginning.
    ///   - skipped: the exchanges omitted earlier, one line each.
    ///   - keys: the names of further secrets.
    ///   - options: the options for making files; nil to make no files.
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

    /// Adds notes about other files.
    package mutating func note(_ notes: [String]) {
        lines += notes.map { "note: \($0)" }
    }

    /// All lines about the files in a folder. Without a folder, only the notes.
    package func lines(into folder: String?) -> [String] {
        guard let folder else { return lines }
        let count = files.count { !$0.path.hasPrefix("__files/") && $0.path != RecordedFile.settings }
        return files.map(\.path).sorted().map { "written: \($0)" } + lines + [
            "\(count) \(count == 1 ? "route" : "routes") in \(folder). Next: demo-server mock --routes \(folder)"
        ]
    }
}
