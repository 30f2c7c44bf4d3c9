import Backlot
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder for editions. A new one takes the place of the one before as a whole.
struct EditionFolder: Sendable {
    private let path: String
    /// Lets two folders change places; false where it can't.
    private let swap: @Sendable (String, String) -> Bool
    private var manager: FileManager { .default }

    init(_ path: String, swap: @escaping @Sendable (String, String) -> Bool = { FolderExchange.run($0, $1) }) {
        self.swap = swap
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
        guard (1...Int64(Int32.max)).contains(version) else {
            throw EditionProblem(
                "the edition in '\(path)' has version \(version), which clients can't read: name another folder, or empty it"
            )
        }
        return EarlierEdition(version: Int(version), data: data.bytes)
    }

    /// Writes an edition.
    ///
    /// - Parameter files: the folder whose files go into the edition, too; nil for none.
    /// - Returns: how many files it has.
    /// - Throws: ``EditionProblem``; `CancellationError` at the end of the task. Nothing has changed then.
    func write(_ edition: Edition, files: String?) throws -> Int {
        let place = URL(filePath: path)
        let parent = place.deletingLastPathComponent().path
        // Web servers don't show what begins with a point.
        let draft = "\(parent)/.\(place.lastPathComponent).\(UUID().uuidString.prefix(8))"
        do {
            defer { try? manager.removeItem(atPath: draft) }
            try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
            if let files, FolderLookup.exists(files) {
                // The copy of a link would be a link: the edition would be written into the folder that it names.
                try manager.copyItem(atPath: URL(filePath: files).resolvingSymlinksInPath().path, toPath: draft)
            } else {
                try manager.createDirectory(atPath: draft, withIntermediateDirectories: false)
            }
            for (name, bytes) in edition.files {
                try Task.checkCancellation()
                let file = URL(filePath: "\(draft)/\(name)")
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
            let names = try manager.subpathsOfDirectory(atPath: draft)
            let count = names.count { !FolderLookup.exists("\(draft)/\($0)") }
            try Task.checkCancellation()
            try exchange(draft)
            return count
        } catch {
            if error is CancellationError { throw error }
            throw EditionProblem(
                "the edition can't be written to '\(path)': give this program write access, and room on the disk"
            )
        }
    }

    /// Puts the new folder in its place. What was there is in the place of the new one then.
    func exchange(_ draft: String) throws {
        guard manager.fileExists(atPath: path) else { return try manager.moveItem(atPath: draft, toPath: path) }
        if swap(draft, path) { return }
        let old = "\(draft)-old"
        try manager.moveItem(atPath: path, toPath: old)
        do {
            try manager.moveItem(atPath: draft, toPath: path)
        } catch {
            try? manager.moveItem(atPath: old, toPath: path)
            throw error
        }
        try manager.removeItem(atPath: old)
    }
}
