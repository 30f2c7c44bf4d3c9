import ArgumentParser
import Backlot
import BacklotClients

/// The command `demo-server new`, which starts a package for a server.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts a package for your own server: an app that runs, its test, a Dockerfile and a CI file.",
        discussion:
            "The folder has the name of the app, unless --folder names another. It is made if it doesn't exist, and must be empty."
    )

    @Argument(help: "The app's name, as Swift's types are named: Clinic, or WaitingRoom.")
    var name: String

    @Option(help: ArgumentHelp("The folder of the package.", valueName: "dir"), completion: .directory)
    var folder: String?

    @Option(name: .customLong("protocol"), help: "The protocol that the app's clients speak.")
    var appProtocol = AppProtocol.usual

    @Option(
        help: ArgumentHelp(
            "The location of Backlot: the path of a checkout, or the URL of a repository.",
            discussion: "Without the option: the checkout that this program was built from.",
            valueName: "path|url"
        )
    )
    var backlot: String?

    func run() throws {
        let template: AppTemplate
        do {
            let (name, backlot) = (try AppName(name), try BacklotPlace(backlot))
            template = AppTemplate(name: name, backlot: backlot, appProtocol: appProtocol)
        } catch {
            throw ValidationError("\(error)")
        }
        let folder = folder ?? template.name.type
        try NewFolder.write(template.files, into: folder)
        print(
            """
            \(folder) has a package now. Next:

                cd \(Arguments.quoted(folder))
                swift run \(template.name.command)

            'swift test' runs its test. Debian's packages that Swift needs for it are in README.md.
            """
        )
    }
}

/// The command `demo-server new-routes`, which starts a folder of mock routes.
struct NewRoutes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-routes",
        abstract: "Starts a folder of mock routes: a home page, a log-in, a list, and the schemas for editors.",
        discussion: "The folder is made if it doesn't exist, and must be empty."
    )

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    func run() throws {
        try NewFolder.write(Self.files, into: folder)
        print(
            """
            \(folder) has a home page, a log-in and a list now. Next:

                demo-server mock --routes \(Arguments.quoted(folder))

            Then open http://127.0.0.1:8080/ in a browser, which shows the pages as a phone would, or let your client use that \
            address. Each file is a route, and a saved file is live within a second: begin with index.page.yaml.
            In VS Code (with the extension YAML by Red Hat) and in JetBrains' editors, the files complete their keys.
            """
        )
    }

    /// The files, by their paths below the folder.
    static var files: [(path: String, text: String)] {
        SchemaCommand.Files.all.map { (".schemas/\($0.name).json", $0.schema) }
            + DemoFiles.texts(below: "new-routes")
    }
}

/// A folder that a command fills with files: a new one, or an empty one.
private enum NewFolder {
    /// Writes files, by their paths below the folder.
    ///
    /// - Throws: `ValidationError` for an empty name, for a folder that isn't empty or can't be read, for a file, and for files
    ///   that can't be written.
    static func write(_ files: [(path: String, text: String)], into path: String) throws {
        let manager = FileManager.default
        guard !path.isEmpty else { throw ValidationError("The folder is '': write the name of a new folder.") }
        if manager.fileExists(atPath: path) {
            guard FolderLookup.exists(path) else { throw ValidationError("'\(path)' is a file: name a folder.") }
            guard let names = try? manager.contentsOfDirectory(atPath: path) else {
                throw ValidationError("The folder '\(path)' can't be read: name one that this user may read and write.")
            }
            if let first = names.min() {
                throw ValidationError(
                    "The folder '\(path)' isn't empty: it has \(first). Name a new folder, or an empty one."
                )
            }
        }
        do {
            for file in files {
                let url = URL(filePath: path).appending(path: file.path)
                try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url, options: .withoutOverwriting)
            }
        } catch {
            throw ValidationError("'\(path)' can't be written: name a folder that this user may write into.")
        }
    }
}
