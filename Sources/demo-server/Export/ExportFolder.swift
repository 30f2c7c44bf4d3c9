import Backlot

/// A folder for the files of an app. Each export replaces all of its files at once.
struct ExportFolder: Sendable {
    let path: String
    /// Swaps two folders; false if that isn't possible.
    private let swap: @Sendable (String, String) -> Bool
    private var manager: FileManager { .default }

    init(_ path: String, swap: @escaping @Sendable (String, String) -> Bool = { AtomicFolderSwap.run($0, $1) }) {
        self.swap = swap
        // The parent of a link isn't that of its folder.
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// Whether the folder is missing or has no files.
    ///
    /// - Throws: ``ExportError`` for a path that isn't a readable folder.
    func isEmpty() throws(ExportError) -> Bool {
        guard manager.fileExists(atPath: path) else { return true }
        guard let names = try? manager.contentsOfDirectory(atPath: path) else {
            throw ExportError("'\(path)' isn't a readable folder: name another")
        }
        return names.isEmpty
    }

    /// Replaces the folder's files.
    ///
    /// - Parameter others: a folder with further files to write; nil without one.
    /// - Returns: the number of files.
    /// - Throws: ``ExportError``; `CancellationError` if the task is cancelled. The folder is then unchanged.
    func write(_ files: [String: [UInt8]], besides others: String?) throws -> Int {
        let place = URL(filePath: path)
        let parent = place.deletingLastPathComponent().path
        // Web servers don't serve names that begin with a dot.
        let draft = "\(parent)/.\(place.lastPathComponent).\(UUID().uuidString.prefix(8))"
        do {
            defer { try? manager.removeItem(atPath: draft) }
            try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
            // The copy of a link would be a link: the files would be written into the folder that it names.
            let others = others.map { URL(filePath: $0).resolvingSymlinksInPath().path }
            if let others { try manager.copyItem(atPath: others, toPath: draft) }
            for (name, bytes) in files {
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
            throw ExportError(
                "the edition can't be written to '\(path)': give this program write access, and room on the disk"
            )
        }
    }

    /// Moves the new folder into place, and the old one to its former path.
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
