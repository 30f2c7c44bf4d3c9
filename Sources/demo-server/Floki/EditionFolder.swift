import Backlot
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder for editions. A new one takes the place of the one before as a whole.
struct EditionFolder {
    private let path: String
    private var manager: FileManager { .default }

    init(_ path: String) {
        // The parent of a link is not that of its folder.
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// The edition that is there; nil for no folder, and for an empty one.
    ///
    /// - Throws: ``EditionProblem`` for anything else.
    func earlier() throws(EditionProblem) -> EarlierEdition? {
        guard manager.fileExists(atPath: path) else { return nil }
        guard let names = try? manager.contentsOfDirectory(atPath: path) else {
            throw EditionProblem("'\(path)' is no folder that can be read: name another")
        }
        if names.isEmpty { return nil }
        func document(_ name: String) -> (bytes: [UInt8], value: JSONValue)? {
            guard let data = try? Data(contentsOf: URL(filePath: "\(path)/\(name)")) else { return nil }
            return (try? JSONValue(parsing: Array(data))).map { (Array(data), $0) }
        }
        let configuration = FlokiConfiguration()
        guard let version = document(configuration.indicatorPath)?.value["v"]?.number?.int64,
            let data = document(configuration.dataPath), data.value["tabs"] != nil
        else {
            throw EditionProblem("'\(path)' has files that are no edition: name another folder, or empty it")
        }
        return EarlierEdition(version: Int(version), data: data.bytes)
    }

    /// Writes an edition.
    ///
    /// - Parameter files: the folder whose files go into the edition, too; nil for none.
    /// - Returns: how many files it has.
    func write(_ edition: Edition, files: String?) throws(EditionProblem) -> Int {
        let draft = "\(path).\(UUID().uuidString.prefix(8))"
        do {
            defer { try? manager.removeItem(atPath: draft) }
            let parent = URL(filePath: path).deletingLastPathComponent().path
            try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
            if let files, FolderLookup.exists(files) {
                try manager.copyItem(atPath: files, toPath: draft)
            } else {
                try manager.createDirectory(atPath: draft, withIntermediateDirectories: false)
            }
            for (name, bytes) in edition.files {
                let file = URL(filePath: "\(draft)/\(name)")
                try manager.createDirectory(
                    atPath: file.deletingLastPathComponent().path,
                    withIntermediateDirectories: true
                )
                try Data(bytes).write(to: file)
            }
            let count = try manager.subpathsOfDirectory(atPath: draft).filter { !FolderLookup.exists("\(draft)/\($0)") }
                .count
            try exchange(draft)
            return count
        } catch let problem as EditionProblem {
            throw problem
        } catch {
            throw EditionProblem(
                "the edition can't be written to '\(path)': give this program write access, and room on the disk"
            )
        }
    }

    /// Puts the new folder in its place. What was there is in the place of the new one then.
    private func exchange(_ draft: String) throws {
        guard manager.fileExists(atPath: path) else { return try manager.moveItem(atPath: draft, toPath: path) }
        if FolderExchange.run(draft, path) { return }
        let old = "\(draft)-old"
        try manager.moveItem(atPath: path, toPath: old)
        try manager.moveItem(atPath: draft, toPath: path)
        try manager.removeItem(atPath: old)
    }
}
