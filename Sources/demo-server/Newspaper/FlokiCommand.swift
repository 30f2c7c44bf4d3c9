import Backlot
import BacklotClients
import BacklotService
import Floki

/// `demo-server floki`
struct FlokiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floki",
        abstract: "Publishes stories in the Floki app's feeds, and writes the app as files for any web server.",
        subcommands: [FlokiPublish.self, FlokiExport.self]
    )
}

/// The command `demo-server floki publish`, which saves stories from a file.
struct FlokiPublish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Saves stories and pictures in the feeds of the Floki app.",
        discussion: """
            Each line of the file is an entry, as JSON: {"feed":"news","id":7000,"language":"en","title":"…","body":"…",\
            "expires":"2036-12-01T00:00:00Z"}. Without "language" all languages have it. Without "expires" it never ends. \
            "publish" is "draft", or the time at which readers see it. The other members are those of items and thumbs: \
            "image", "url", "footer", "page", "section_ids", "tags", "share_url", "sort_id", "online"; \
            for photos "url", "image", "width", "height", "caption_text", "max_zoom". All languages share the photos, so their lines \
            must leave out "language".

            A line with an expired entry, or with the same entry as another line, is wrong. The lines are saved in batches of \(Publication.mostLines), each as a whole. \
            Wrong lines are left out and reported by number; after \(Publication.mostMistakes) of them, the command doesn't read the rest. \
            Lines replace entries with the same id and language, including later edits, so that the command can be repeated. \
            Servers that use the same store show the entries within a second. Ctrl-C ends the command between two batches.

            Exit status: 0 all lines are saved, 1 not all, 64 wrong arguments.
            """
    )

    @Argument(help: "The file of lines, or - for standard input.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @OptionGroup var option: FeedsOption

    func run() async throws {
        let choice = try option.settings.feeds
        let reader: LineReader
        do {
            reader = try LineReader(file, longest: StoryLine.mostBytes)
        } catch {
            throw ValidationError("\(error)")
        }
        let isNew = choice.missingFile != nil
        let store = try choice.open()
        guard !(store is MemoryFeedStore) else {
            throw ValidationError("--feeds memory ends with this command: write sqlite:PATH, the store of the server.")
        }
        let publication = Publication(app: NewspaperApp(store: store))
        let report = try await Interruption.watch {
            let line = ProgressLine()
            defer { line?.clear() }
            return await publication.report(reader) { line?.show("lines: \($0.read) read, \($0.saved) saved") }
        }
        await store.close()
        for mistake in report.mistakes { StandardError.print("\(mistake)") }
        print("\(report.summary), \(choice)\(isNew ? ", which is new" : "")")
        if let problem = report.problem(of: file) { throw Arguments.failure(problem) }
    }
}

/// The command `demo-server floki export`, which writes the app as files.
struct FlokiExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the Floki app as a folder of files that any web server can serve.",
        discussion: """
            The folder has the responses for the app's clients, at the same paths below its address: the version indicator (v1-app), \
            the app data, the newest window of each feed in each language and one of older entries after it, the pages of items, the \
            app's web pages, and the app's files from DIR/floki, where DIR is the folder of --public. Clients begin at the address \
            of v1-app.

            Each file is the response to a request without parameters. Searches, tags, videos and galleries by name need a server: \
            the app data leaves them out, and links to them become plain text. All devices get the same pictures.

            The command refuses content that clients would not accept, and apps without entries; then it writes nothing. It \
            replaces an earlier edition in the folder as a whole, and raises the version if the app data differs. It doesn't touch \
            a folder with other files.

            Exit status: 0 the edition is written, 1 it isn't, 64 wrong arguments.
            """
    )

    @Argument(help: "The folder. It is made if it doesn't exist.", completion: .directory)
    var folder: String

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp(
            "The address at which the folder will be served, such as https://static.example.com/gazette.",
            valueName: "url"
        )
    )
    var baseURL: String

    @OptionGroup var option: FeedsOption

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            "The folder above the folder 'floki' with the app's files, such as its pictures. (default: as for serve)",
            valueName: "dir"
        ),
        completion: .directory
    )
    var publicFolder: String?

    /// The address without a slash at its end.
    private var base: String { baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL }

    func validate() throws {
        guard let url = try? HTTPURL(base), url.query == nil, !base.contains("#"), !base.hasSuffix("/") else {
            throw ValidationError(
                "--base-url is '\(baseURL)': write an address without a query, such as https://static.example.com/gazette."
            )
        }
        if let publicFolder {
            guard FolderLookup.exists(publicFolder) else {
                throw ValidationError("--public is '\(publicFolder)': this folder doesn't exist.")
            }
            guard FolderLookup.exists("\(publicFolder)\(NewspaperApp.path)") else {
                throw ValidationError(
                    "--public is '\(publicFolder)': it has no folder 'floki' with the app's files. Name the folder above that one."
                )
            }
        }
    }

    func run() async throws {
        let settings = try option.settings
        // Opening a missing store would create an empty file.
        if let file = settings.feeds.missingFile {
            throw ValidationError("the store '\(file)' doesn't exist: name the store of the server with --feeds.")
        }
        let store = try settings.feeds.open()
        do {
            try await export(store, settings)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func export(_ store: any FeedStore, _ settings: DemoSettings) async throws {
        // A store in memory doesn't have the server's data, so this exports the demo in its initial state.
        let app = store is MemoryFeedStore ? DemoStores().newspaper : NewspaperApp(store: store)
        let router = Router()
        app.register(on: router, record: settings.flokiRecord.map { RecordFile($0) })
        let folder = ExportFolder(folder)
        let files = (publicFolder ?? settings.publicFolder).map { "\($0)\(NewspaperApp.path)" }
            .flatMap { FolderLookup.exists($0) ? $0 : nil }
        if let files, "\(folder.path)/".hasPrefix("\(URL(filePath: files).resolvingSymlinksInPath().path)/") {
            let fix = "whose files are copied into the edition: name a folder elsewhere"
            throw ValidationError("'\(self.folder)' is part of '\(files)', \(fix).")
        }
        if files == nil {
            StandardError.print("note: the edition has no pictures and other files: name their folder with --public")
        }
        if let (_, rest) = base.atScheme, rest.prefix(while: { $0 != "/" }).contains("-") {
            StandardError.print("note: clients write %2d for a hyphen, and can't reach this host: use another")
        }
        let export = AppExport(path: NewspaperApp.path, base: base, publicFiles: files)
        do {
            let earlier = try folder.earlierEdition()
            let transport = try InProcessTransport(router.handler())
            let (edition, count) = try await Interruption.watch {
                let edition = try await FlokiEdition(export, over: transport, after: earlier)
                return (edition, try folder.write(edition.export.files, besides: files))
            }
            for note in edition.export.notes { StandardError.print(note) }
            print("version \(edition.version) of the app: \(count) files in \(self.folder)")
            print("clients begin at \(base)/\(FlokiEdition.indicatorPath)")
        } catch let problem as ExportError {
            throw Arguments.failure("\(problem)")
        } catch is CancellationError {
            throw Arguments.failure("stopped: nothing was written")
        }
    }
}

extension FeedStoreChoice {
    /// The path of the store's file if the file doesn't exist yet; nil for an existing file and for a store without a file.
    fileprivate var missingFile: String? {
        file.flatMap { FileManager.default.fileExists(atPath: $0) ? nil : $0 }
    }

    /// Opens the store for a command, which ends with 1 if that fails.
    fileprivate func open() throws -> any FeedStore {
        do {
            return try open(Arguments.logger)
        } catch {
            throw Arguments.failure("\(error)")
        }
    }
}

/// The option for the store of feeds that a command uses.
struct FeedsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store of the stories: \(DemoServer.feedStores.forms()). (default: as for serve)",
            valueName: "store"
        )
    )
    var feeds: String?

    /// The settings that the server would have with the same option.
    var settings: DemoSettings {
        get throws {
            let given = [DemoSettings.feeds.name: feeds].compactMapValues(\.self)
            return try DemoSettings(try SettingSources(options: given))
        }
    }
}
