import ArgumentParser
import Backlot
import BacklotService
import Floki

/// `demo-server floki publish`
struct FlokiPublish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Saves stories and pictures in the feeds of the Floki app.",
        discussion: """
            Each line of the file is an entry, as JSON: {"feed":"news","id":7000,"language":"en","title":"…","body":"…",\
            "expires":"2026-12-01T00:00:00Z"}. Without "language" all languages have it. Without "expires" it never ends. \
            "publish" is "draft", or the time at which readers see it. The other members are those of items and thumbs: \
            "image", "url", "footer", "page", "section_ids", "tags", "share_url", "sort_id", "online"; \
            for photos "url", "image", "width", "height", "caption_text", "max_zoom". All languages share the photos, so their lines \
            must leave out "language".

            The lines are saved \(Publication.mostLines) at a time, each batch as a whole. A wrong line is left out, and named with \
            its number. Lines replace what is there with their id and language, later edits too, so that the command can be \
            repeated. \
            Servers that use the same store show the entries within a second. Ctrl-C ends the command between two batches.

            Exit status: 0 all lines are saved, 1 not all, 64 wrong arguments.
            """
    )

    @Argument(help: "The file of lines, or - for standard input.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @OptionGroup var option: FeedsOption

    func run() async throws {
        let choice = try await option.settings.feeds
        let reader: LineReader
        do {
            reader = try LineReader(file, longest: StoryLine.mostBytes)
        } catch {
            throw ValidationError("\(error)")
        }
        let isNew = choice.missingFile != nil
        let store = try FeedsOption.open(choice)
        guard !(store is MemoryFeedStore) else {
            throw ValidationError("--feeds memory ends with this command: write sqlite:PATH, the store of the server.")
        }
        let publication = Publication(app: GazetteApp(store: store))
        let report = try await Interruption.watch {
            let line = ProgressLine()
            defer { line?.clear() }
            return await publication.report(reader) { line?.show("lines: \($0.read) read, \($0.saved) saved") }
        }
        await store.close()
        for mistake in report.mistakes { StandardError.print("\(mistake)") }
        print("\(report.summary), \(choice)\(isNew ? ", which is new" : "")")
        if let problem = report.problem(of: file) { throw ImportCommand.failure(problem) }
    }
}
