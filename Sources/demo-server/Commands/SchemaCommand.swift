import ArgumentParser
import Backlot
import BacklotMocks

/// The command `demo-server schema`, which prints the JSON Schema of a kind of files.
struct SchemaCommand: ParsableCommand {
    /// A kind of files with a schema.
    struct Files: ExpressibleByArgument, Sendable {
        /// The kinds of mock files, and the app files of each protocol that has them.
        static let all =
            ["page", "route", "mapping", "data", "settings", "crud"].map { Files(name: $0, kind: $0) }
            + AppProtocol.all.compactMap { spoken in
                if case .app(let format) = spoken.format() { Files(name: spoken.name, kind: format.kind) } else { nil }
            }
        static let allValueStrings = all.map(\.name)

        let name: String
        /// The vocabulary's name for the kind. Most files have it before their extension, such as `page` in `card.page.yaml`.
        let kind: String

        private init(name: String, kind: String) { (self.name, self.kind) = (name, kind) }

        init?(argument: String) {
            let name = AppProtocol(argument: argument)?.name ?? argument
            guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
            self = known
        }

        /// The text of the schema's file.
        var schema: String {
            (MockVocabulary.schema(of: kind, formats: MockSite.formats) ?? .null).indented + "\n"
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of files of mocks, so that editors complete keys and show their meaning.",
        discussion: """
            page is for NAME.page.json and NAME.page.yaml, route for other routes in YAML, mapping for mappings/NAME.json, data \
            for data/NAME.yaml, settings for settings.yaml, \(ownFiles). It is of draft 2020-12.

            Files name their schema: VS Code reads "# yaml-language-server: $schema=PATH" in YAML, JetBrains' editors read \
            "# $schema: PATH", and both "$schema" as the first key of a JSON file.
            """
    )

    /// The kinds whose files have names such as `NAME.crud.yaml`, as text for the help.
    private static var ownFiles: String {
        Files.all.dropFirst(5).map { "\($0.name) for NAME.\($0.kind).yaml" }.joined(separator: ", ")
    }

    @Argument(help: "The kind of files.")
    var files: Files

    func run() { print(files.schema, terminator: "") }
}
