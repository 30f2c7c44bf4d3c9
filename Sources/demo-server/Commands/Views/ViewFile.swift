import Backlot
import BacklotJSON
import DynamicViews

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document of Dynamic Views in a file.
struct ViewFile {
    let path: String
    /// The document; nil where the file is none.
    let document: ImportedDocument?
    /// Why it is none, and what to do.
    private let mistake: Finding?

    /// Reads a file.
    init(path: String) {
        self.path = path
        guard let bytes = Self.read(path) else {
            document = nil
            mistake = Self.error("unreadable", path, "The file can't be read.", fix: "Name a file that is there.")
            return
        }
        do throws(JSONParseError) {
            document = try ImportedDocument(parsing: bytes)
            mistake = nil
        } catch {
            document = nil
            mistake = Self.error(
                "not-json",
                path,
                "It is no JSON: \(error).",
                fix: "Mend it there; 'demo-server views check --fix' only removes trailing commas."
            )
        }
    }

    /// What is wrong with it, for clients of a dialect and an app that has some texts and pictures.
    func findings(_ dialect: Dialect, _ catalogue: Catalogue) -> [Finding] {
        guard let document else { return mistake.map { [$0] } ?? [] }
        return DynamicViewsRules.findings(in: document.value, name: path, dialect: dialect, catalogue: catalogue)
    }

    /// The bytes of a file; nil where it can't be read.
    static func read(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: path))).map { Array($0) }
    }

    /// Replaces a file as a whole.
    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private static func error(_ rule: String, _ path: String, _ message: String, fix: String) -> Finding {
        Finding(.error, rule: rule, path: FindingPath(page: path), message: message, fix: fix)
    }
}
