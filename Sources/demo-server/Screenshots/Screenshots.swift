import ArgumentParser
import Backlot
import BacklotJSON
import BacklotService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `demo-server screenshots`
struct Screenshots: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Takes a picture of every page on every device that preview's wall shows, and finds what has changed.",
        discussion: """
            It drives Chromium without a window, which must be installed. The pictures are those of preview, and not of \
            real devices: DIR/new_account/ios.png and so on. Pages with parameters in their paths are taken when URL names them.

            With --compare, pictures are compared with those of an earlier run, pixel by pixel. DIR/differences has a picture \
            of each difference, with the changed pixels in red.

            Exit status: 0 when all is well, 1 when a picture differs, when one of the earlier ones has no counterpart, or when a \
            page can't be taken, 64 wrong arguments.
            """
    )

    @Argument(help: "Where the pages are: all that a running server with preview has below this URL.")
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
            throw ValidationError("'\(url)' is no URL: write where the server is, such as http://127.0.0.1:8080/.")
        }
        if let compare {
            guard FileManager.default.fileExists(atPath: compare) else {
                throw ValidationError("there is no folder \(compare) to compare with.")
            }
            guard URL(filePath: compare).standardized != URL(filePath: into).standardized else {
                throw ValidationError("--into and --compare name the same folder: write the new pictures elsewhere.")
            }
        }
    }

    func run() throws {
        var run = PictureRun(into: into, compare: compare)
        do {
            let chromium = try Chromium(program: browser)
            defer { chromium.stop() }
            try take(BrowserPage(chromium), &run)
        } catch let problem as Chromium.Problem {
            StandardError.print("Error: \(problem).")
            throw ExitCode.failure
        }
        run.findGone(below: Self.path(of: url), looks: wantedLooks)
        print(run.summary)
        if !run.isWell { throw ExitCode.failure }
    }

    private var wantedLooks: Set<String>? { looks.map { Set($0.split(separator: ",").map(String.init)) } }

    private func take(_ page: BrowserPage, _ run: inout PictureRun) throws {
        let wanted = wantedLooks
        let start = url.prefix { $0 != "#" }
        let folder = start.hasSuffix("/") ? String(start) : start + "/"
        try page.open(Self.home(of: url))
        guard let listed = try page.evaluate(PictureScripts.pages).array?.compactMap(\.string) else {
            throw Chromium.Problem(description: "\(Self.home(of: url)) isn't preview's list of apps: is preview on?")
        }
        let all = try page.evaluate(PictureScripts.looks).array ?? []
        let known = all.compactMap { $0["id"]?.string }
        if let unknown = wanted?.subtracting(known).sorted().first {
            throw Chromium.Problem(
                description: "there is no device '\(unknown)', but there are \(known.joined(separator: ", "))"
            )
        }
        let below = Set(listed.filter { $0 == start || $0.hasPrefix(folder) })
        let pages = below.isEmpty ? [String(start)] : below.sorted()
        for address in pages {
            for look in all {
                guard let id = look["id"]?.string, wanted?.contains(id) ?? true,
                    let width = look["width"]?.number?.int64, let height = look["height"]?.number?.int64
                else { continue }
                try page.resize(width: width, height: height)
                try page.open("\(address)#picture=\(id)")
                let name = "\(PictureName.folder(of: Self.path(of: address)))/\(id)"
                let said = try page.evaluate(PictureScripts.ready).string ?? "the page says nothing"
                guard said == "ready" else {
                    run.fail(name, said)
                    continue
                }
                try run.add(name, page)
            }
        }
    }

    /// The list of apps of the server that a URL belongs to.
    private static func home(of url: String) -> String {
        let path = path(of: url)
        return url.prefix(url.count - path.count) + "/__preview/"
    }

    /// The path of an absolute URL and what follows it.
    private static func path(of url: String) -> Substring {
        url.atScheme?.rest.drop { $0 != "/" } ?? ""
    }
}
