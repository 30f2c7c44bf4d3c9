import ArgumentParser

/// `demo-server new`
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts a package for a server of your own: an app that runs, its test, a Dockerfile and a CI file.",
        discussion:
            "The folder has the name of the app, unless --folder names another. It is made if it isn't there, and must be empty."
    )

    @Argument(help: "The app's name, as Swift's types are named: Clinic, or WaitingRoom.")
    var name: String

    @Option(help: ArgumentHelp("The folder of the package.", valueName: "dir"), completion: .directory)
    var folder: String?

    @Option(
        name: .customLong("protocol"),
        help: "The protocol that the app's clients speak."
    )
    var wire = AppTemplate.Wire.applin

    @Option(
        help: ArgumentHelp(
            "Where Backlot is: the path of a checkout, or the URL of a repository.",
            discussion: "Without the option: the checkout that this program was built from.",
            valueName: "path|url"
        )
    )
    var backlot: String?

    func run() throws {
        let template: AppTemplate
        do {
            template = AppTemplate(name: try AppName(name), backlot: try BacklotPlace(backlot), wire: wire)
        } catch {
            throw ValidationError("\(error)")
        }
        let folder = folder ?? template.name.type
        try NewFolder(folder).write(template.files)
        let place = folder.contains(" ") ? "'\(folder)'" : folder
        print(
            """
            \(folder) has a package now. Next:

                cd \(place)
                swift run \(template.name.command)

            'swift test' runs its test. Debian's packages that Swift needs for it are in README.md.
            """
        )
    }
}

extension AppTemplate.Wire: ExpressibleByArgument {}
