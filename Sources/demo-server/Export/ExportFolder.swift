import Backlot

/// A folder for the files of an app. New files take the place of those before as a whole.
struct ExportFolder: Sendable {
    let path: String
    /// Lets two folders change places; false where it can't.
    private let swap: @Sendable (String, String) -> Bool
    private var manager: FileManager { .default }

    init(_ path: String, swap: @escaping @Sendable (String, String) -> Bool = { AtomicFolderSwap.run($0, $1) }) {
        self.swap = swap
        // The parent of a link is not that of its folder.
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// Whether there is no folder, or one without files.
    ///
    /// - Throws: ``ExportError`` for anything else.
    func isEmpty() throws(ExportError) -> Bool {
        guard manager.fileExists(atPath: path) else { return true }
        guard let names = try? manager.contentsOfDirectory(atPath: path) else {
            throw ExportError("'\(path)' is no folder that can be read: name another")
        }
        return names.isEmpty
    }

    /// Replaces what is there.
    ///
    /// - Parameter others: the folder whose files are written too; nil for none.
    /// - Returns: how many files there are.
    /// - Throws: ``ExportError``; `CancellationError` at the end of the task. Nothing has changed then.
    func write(_ files: [String: [UInt8]], besides others: String?) throws -> Int {
        let place = URL(filePath: path)
        let parent = place.deletingLastPathComponent().path
        // Web servers don't show what begins with a point.
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
