public import Backlot
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Views that are being mounted. You add documents that are built in Swift, and documents in files.
public final class DynamicViewsApp {
    private(set) var views: [View] = []
    private(set) var frame: DocumentFrame?
    private let choice: DialectChoice
    private let logger: Logger
    private let report: (String, CodeLocation) -> Void

    init(_ choice: DialectChoice, logger: Logger, report: @escaping (String, CodeLocation) -> Void) {
        self.choice = choice
        self.logger = logger
        self.report = report
    }

    /// Adds a view that is built in Swift for each request.
    ///
    /// Errors of `handler` become responses in text/plain: a `StatusError` with its status, a `UserError` with 422, any other error
    /// with 500. `request.dialect` tells for which clients the document is.
    ///
    /// ```swift
    /// views.view("terms") { _ in document { text("Terms.text", id: "text") } }
    /// ```
    /// - Parameters:
    ///   - name: the view's name in its URLs: letters, digits, `-` and `_`.
    ///   - unchecked: the reason why `check` and validation skip the document, for one that is broken on purpose.
    /// - Returns: the view, for handlers of interactions.
    @discardableResult
    public func view(
        _ name: String,
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Document
    ) -> View {
        add(name, .function(handler), unchecked, CodeLocation(file: file, line: line))
    }

    /// Puts widgets above and below the widgets of each view that is built in Swift, such as a heading, or a version at the bottom.
    /// Their ids must differ from the ids of the views' own widgets.
    ///
    /// ```swift
    /// views.frame { _ in
    ///     text("Shop.name", id: "name").textStyle(.title)
    /// } below: { _ in
    ///     section("Profile.header", id: "footer") { version(id: "version") }
    /// }
    /// ```
    /// - Parameters:
    ///   - above: the widgets above the view's own.
    ///   - below: the widgets below them.
    public func frame(
        file: String = #fileID,
        line: Int = #line,
        @ListBuilder<any Widget> _ above: @escaping @Sendable (Request) async throws -> [any Widget],
        @ListBuilder<any Widget> below: @escaping @Sendable (Request) async throws -> [any Widget] = { _ in [] }
    ) {
        if frame != nil {
            report("frame is called twice for the same views: write one frame", CodeLocation(file: file, line: line))
        }
        frame = DocumentFrame(above: above, below: below)
    }

    /// Adds a view for each file `NAME.json` of a folder.
    ///
    /// Clients of a platform get the file with its name, such as `NAME.android.json`; all others get `NAME.json`. Files are read
    /// leniently, see ``ImportedDocument``. The clients of a file's dialect must accept it; `NAME.json` is checked for the first
    /// dialect without another file. Changes to a file take effect at once; while the file is broken, clients get its last good
    /// version.
    ///
    /// ```swift
    /// views.files("Views")  // dashboard.json is the view "dashboard"; dashboard.android.json is for Android clients
    /// ```
    /// - Parameter folder: the folder's path.
    public func files(_ folder: String, file: String = #fileID, line: Int = #line) {
        let source = CodeLocation(file: file, line: line)
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return report("the folder '\(folder)' of views doesn't exist, or can't be read", source)
        }
        for (name, files) in ViewFiles.named(entries) {
            do throws(DocumentFile.ReadingError) {
                let documents = try documents(files, in: folder)
                if documents.isEmpty {
                    let names = choice.dialects.map(\.platform.rawValue).joined(separator: " and ")
                    report(
                        "the folder '\(folder)' has no document of '\(name)' for \(names) clients: add \(name).json",
                        source
                    )
                }
                add(name, .files(documents), nil, source)
            } catch {
                report(error.text, source)
            }
        }
    }

    /// The documents of one view by the platforms of their clients.
    private func documents(
        _ files: ViewFiles,
        in folder: String
    ) throws(DocumentFile.ReadingError) -> [Dialect.Platform: DocumentFile] {
        var documents: [Dialect.Platform: DocumentFile] = [:]
        for dialect in choice.dialects {
            guard let file = files.own[dialect.platform] else { continue }
            documents[dialect.platform] = try DocumentFile("\(folder)/\(file)", for: [dialect], logger: logger)
        }
        let others = choice.dialects.filter { documents[$0.platform] == nil }
        guard let file = files.shared, !others.isEmpty else { return documents }
        let shared = try DocumentFile("\(folder)/\(file)", for: others, logger: logger)
        for dialect in others { documents[dialect.platform] = shared }
        return documents
    }

    /// A view from a file, or one that is added elsewhere, for adding handlers of interactions.
    ///
    /// ```swift
    /// views.files("Views")
    /// views.interactions(with: "dashboard").on(.tap, "start") { interaction, request in print(interaction) }
    /// ```
    public func interactions(with name: String, file: String = #fileID, line: Int = #line) -> View {
        view(named: name, CodeLocation(file: file, line: line))
    }

    @discardableResult
    private func add(_ name: String, _ maker: DocumentMaker, _ exemption: String?, _ source: CodeLocation) -> View {
        let view = view(named: name, source)
        if !Self.isName(name) {
            report("'\(name)' can't be the name of a view: write letters, digits, - and _", source)
        } else if view.maker != nil {
            report("view '\(name)' is declared twice", source)
        } else {
            view.maker = maker
            view.exemption = exemption
            view.source = source
        }
        return view
    }

    private func view(named name: String, _ source: CodeLocation) -> View {
        if let view = views.first(where: { $0.name == name }) { return view }
        let view = View(name: name, source: source, report: report)
        views.append(view)
        return view
    }

    /// Whether a text can be the name of a view.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
            }
    }
}

/// The files of one view in a folder.
private struct ViewFiles {
    /// The file for all platforms without their own.
    var shared: String?
    /// The files that are named for a platform.
    var own: [Dialect.Platform: String] = [:]

    /// The files of each view, by the views' names.
    static func named(_ entries: [String]) -> [(name: String, files: ViewFiles)] {
        var views: [String: ViewFiles] = [:]
        for entry in entries where entry.hasSuffix(ending) && !entry.hasPrefix(".") {
            let name = entry.dropLast(ending.count)
            let platform = Dialect.Platform.allCases.first { name.hasSuffix(".\($0.rawValue)") }
            if let platform {
                views[String(name.dropLast(platform.rawValue.count + 1)), default: ViewFiles()].own[platform] = entry
            } else {
                views[String(name), default: ViewFiles()].shared = entry
            }
        }
        return views.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static let ending = ".json"
}
