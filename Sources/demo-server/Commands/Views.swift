public import ArgumentParser
import Backlot
public import DynamicViews

/// `demo-server views`
struct Views: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Checks documents of Dynamic Views in files, mends them, and lists the names in them.",
        subcommands: [ViewsCheck.self, ViewsList.self]
    )
}

extension Dialect.Platform: ExpressibleByArgument {}

/// The command `demo-server views list`, which lists the names in documents of Dynamic Views.
struct ViewsList: AsyncParsableCommand {
    /// The kind of names to print.
    enum Names: String, ExpressibleByArgument, CaseIterable {
        case text, image
    }

    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the localisation keys and the names of pictures in documents, with their places.",
        discussion: """
            Without files it lists those of the demo's own views. With --names text or --names image it prints bare names, \
            one a line, as --texts and --images of 'views check' read them.
            """
    )

    @Argument(help: "The files.", completion: .file(extensions: ["json"]))
    var files: [String] = []

    @Option(help: "Print bare names only: those of texts, or those of images.")
    var names: Names?

    func run() async throws {
        var texts: [String: [String]] = [:]
        var images: [String: [String]] = [:]
        for (path, document) in try await documents() {
            let found = DocumentNames(in: document)
            texts.merge(found.texts.mapValues { $0.map { path + $0 } }) { $0 + $1 }
            images.merge(found.images.mapValues { $0.map { path + $0 } }) { $0 + $1 }
        }
        switch names {
        case .text, .image: for name in (names == .text ? texts : images).keys.sorted() { print(name) }
        case nil:
            Self.printPlaces("texts", texts)
            Self.printPlaces("images", images)
        }
    }

    private func documents() async throws -> [(path: String, document: JSONValue)] {
        guard !files.isEmpty else { return try await demoDocuments() }
        return try files.map { path in
            let file = CheckedViewFile(path: path)
            guard let document = file.document else {
                throw ValidationError(file.findings(.ios, Catalogue()).map(\.description).joined())
            }
            return (path, document.value)
        }
    }

    private func demoDocuments() async throws -> [(path: String, document: JSONValue)] {
        let router = Router()
        DemoCatalogue.register(on: router)
        let handler = router.handler()
        var documents: [(path: String, document: JSONValue)] = []
        let paths = router.apps().filter { $0.appProtocol == .dynamicViews }.map(\.basePath)
        for page in router.pages where paths.contains(page.basePath) {
            for sample in page.samples {
                let path = page.basePath + sample.path.drop { $0 == "/" }
                let response = try await handler(try Request(.get, path))
                guard case .bytes(let body) = response.body else { continue }
                documents.append((path, try JSONValue(parsing: body)))
            }
        }
        return documents
    }

    private static func printPlaces(_ heading: String, _ places: [String: [String]]) {
        print("\(heading):")
        for (name, places) in places.sorted(by: { $0.key < $1.key }) {
            print("  \(name)")
            for place in places { print("    \(place)") }
        }
    }
}
