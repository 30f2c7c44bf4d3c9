public import Backlot
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Views that are being mounted, for adding documents that are built in Swift and documents in files.
public final class ViewsApp {
    private(set) var views: [View] = []
    private let logger: Logger
    private let report: (String, CodeLocation) -> Void

    init(logger: Logger, report: @escaping (String, CodeLocation) -> Void) {
        self.logger = logger
        self.report = report
    }

    /// Adds a view that is built in Swift, for each request anew.
    ///
    /// An error of `handler` is answered as text/plain: a `StatusError` with its status, a `UserError` with 422, any other
    /// with 500. `request.dialect` says which clients the document is for.
    ///
    /// - Parameters:
    ///   - name: the view's name in its URLs: letters, digits, `-` and `_`.
    ///   - unchecked: for a document that is broken on purpose, the reason why neither `check` nor validation looks at it.
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

    /// Adds a view for each file `NAME.json` of a folder. Files are read leniently, as ``ImportedDocument`` says. A change to a
    /// file counts at once; while the file is broken, its last good version is served.
    ///
    /// - Parameter folder: the folder's path.
    public func files(_ folder: String, file: String = #fileID, line: Int = #line) {
        let source = CodeLocation(file: file, line: line)
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return report("the folder '\(folder)' of views doesn't exist, or can't be read", source)
        }
        let ending = ".json"
        for entry in entries.sorted() where entry.hasSuffix(ending) && !entry.hasPrefix(".") {
            do throws(DocumentFile.Mistake) {
                let document = try DocumentFile(path: "\(folder)/\(entry)", logger: logger)
                add(String(entry.dropLast(ending.count)), .file(document), nil, source)
            } catch {
                report(error.text, source)
            }
        }
    }

    /// A view that comes from a file or is added elsewhere, for adding handlers of interactions.
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

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
            }
    }
}
