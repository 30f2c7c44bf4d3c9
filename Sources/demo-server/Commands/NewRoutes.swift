import ArgumentParser
import BacklotMocks

/// `demo-server new-routes`
struct NewRoutes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-routes",
        abstract: "Starts a folder of mock routes: a home page, a log-in, a list, and the schemas for editors.",
        discussion: "The folder is made if it isn't there, and must be empty."
    )

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    func run() throws {
        try NewFolder(folder).write(Self.files)
        let place = folder.contains(" ") ? "'\(folder)'" : folder
        print(
            """
            \(folder) has a home page, a log-in and a list now. Next:

                demo-server mock --routes \(place)

            Then open http://127.0.0.1:8080/ in a browser, which shows the pages as a phone would, or let your client use that \
            address. Each file is a route, and a file that is saved is live within a second: begin with index.page.yaml.
            In VS Code (with the extension YAML by Red Hat) and in JetBrains' editors, the files complete their keys.
            """
        )
    }

    /// The files, by their paths below the folder.
    static var files: [(path: String, text: String)] {
        SchemaCommand.Choice.allCases.map { (".schemas/\($0.rawValue).json", $0.text) }
            + DemoFiles.texts(below: "new-routes")
    }
}
