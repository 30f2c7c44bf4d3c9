import ArgumentParser
import Backlot
import BacklotJSON
import BacklotMocks

/// `demo-server schema`
struct SchemaCommand: ParsableCommand {
    /// The kinds of files that have schemas.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case page, route, mapping, data, crud, floki, xpedite, views

        /// The schema, as a file.
        var text: String {
            let files =
                switch self {
                case .xpedite: "method"
                case .views: "view"
                default: rawValue
                }
            return (MockVocabulary.schema(of: files, formats: MockSite.formats) ?? .null).indented + "\n"
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of files of mocks, by which editors complete keys and show their meaning.",
        discussion: """
            page is for NAME.page.json and NAME.page.yaml, route for other routes in YAML, mapping for mappings/NAME.json, data for data/NAME.yaml, crud for NAME.crud.yaml, floki for \
            NAME.floki.yaml, xpedite for NAME.method.yaml, views for NAME.view.json and NAME.view.yaml. It is of draft 2020-12.

            Files name their schema: VS Code reads "# yaml-language-server: $schema=PATH" in YAML, JetBrains' editors read \
            "# $schema: PATH", and both "$schema" as the first key of a JSON file.
            """
    )

    @Argument(help: "The kind of files.")
    var choice: Choice

    func run() throws {
        print(choice.text, terminator: "")
    }
}
