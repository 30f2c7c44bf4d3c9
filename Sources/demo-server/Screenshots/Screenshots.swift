import Backlot
import BacklotService

/// The command `demo-server screenshots`, which takes pictures of pages.
struct Screenshots: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes a picture of every page on every device of preview's wall, and finds changes.",
        discussion: """
            It uses Chromium without a window, which must be installed. The pictures come from preview, not from real devices: \
            DIR/new_account/ios.png and so on. For a page with parameters in its path, write the page's URL.

            With --compare, pictures are compared with those of an earlier run, pixel by pixel. DIR/differences has a picture \
            of each difference, with the changed pixels in red.

            Exit status: 0 if all is well, 1 if a picture differs, if an earlier one has no counterpart, or if a page has no \
            picture, 64 wrong arguments, 130 after Ctrl-C or SIGTERM.
            """
    )

    @Argument(help: "The URL of the pages: takes all pages below it, from a running server with preview.")
    var url: String

    @Option(help: "The folder that the pictures are written to.", completion: .directory)
    var into: String

    @Option(help: "The folder of an earlier run.", completion: .directory)
    var compare: String?

    @Option(help: "The devices, such as ios,android-dark; all without it.")
    var looks: String?

    @Option(help: "The program of Chromium.", completion: .file())
    var browser: String?

    func validate() throws {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host() != nil else {
            throw ValidationError("'\(url)' isn't a URL: write the server's address, such as http://127.0.0.1:8080/.")
        }
        guard let compare else { return }
        guard FolderLookup.exists(compare) else {
            throw ValidationError("--compare '\(compare)' isn't a folder: name that of an earlier run.")
        }
        guard URL(filePath: compare).standardized != URL(filePath: into).standardized else {
            throw ValidationError("--into and --compare name the same folder: write the new pictures elsewhere.")
        }
    }

    func run() throws {
        StopSignals.catchAll()
        defer { StopSignals.restoreDefault() }
        var run = PictureRun(into: into, compare: compare)
        let wanted = looks.map { Set($0.split(separator: ",").map(String.init)) }
        do {
            let chromium = try Chromium(program: browser)
            defer { chromium.stop() }
            try chromium.openPage()
            try take(chromium, wanted, &run)
        } catch let problem as DriverError {
            throw Interruption.hasCome ? ExitCode(130) : Arguments.failure("\(problem).")
        }
        run.findGone(below: path(of: url), looks: wanted)
        print(run.summary)
        if !run.isWell { throw ExitCode.failure }
    }

    private func take(_ page: Chromium, _ wanted: Set<String>?, _ run: inout PictureRun) throws {
        let start = url.prefix { $0 != "#" }
        let folder = start.hasSuffix("/") ? String(start) : start + "/"
        let home = "\(url.prefix(url.count - path(of: url).count))/__preview/"
        try page.load(home)
        guard let listed = try page.evaluate("pages()").array?.compactMap(\.string) else {
            throw DriverError("\(home) isn't preview's list of apps: is preview on?")
        }
        let all = try page.evaluate("looks()").array ?? []
        let known = all.compactMap { $0["id"]?.string }
        if let unknown = wanted?.subtracting(known).min() {
            throw DriverError("the device '\(unknown)' is unknown: choose from \(known.joined(separator: ", "))")
        }
        let below = Set(listed.filter { $0 == start || $0.hasPrefix(folder) })
        for address in below.isEmpty ? [String(start)] : below.sorted() {
            for look in all {
                guard let id = look["id"]?.string, wanted?.contains(id) ?? true,
                    let width = look["width"]?.number, let height = look["height"]?.number
                else { continue }
                try page.resize(width: width, height: height)
                try page.load("\(address)#picture=\(id)")
                let name = "\(PictureRun.folder(of: path(of: address)))/\(id)"
                let said = try page.evaluate("ready()").string ?? "the page says nothing"
                if said == "ready" { try run.add(name, page) } else { run.fail(name, said) }
            }
        }
    }

    /// The path of an absolute URL, with its query and fragment.
    private func path(of url: String) -> Substring {
        url.atScheme?.rest.drop { $0 != "/" } ?? ""
    }
}
