import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder that a command fills with files: a new one, or an empty one.
struct NewFolder {
    private let path: String

    /// - Throws: `ValidationError` for a folder that holds something, and for a file.
    init(_ path: String) throws {
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder else { throw ValidationError("'\(path)' is a file: name a folder.") }
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            guard entries.isEmpty else {
                throw ValidationError(
                    "The folder '\(path)' isn't empty: it has \(entries.sorted()[0]). Name a new folder, or an empty one."
                )
            }
        }
        self.path = path
    }

    /// Writes files, by their paths below the folder.
    ///
    /// - Throws: `ValidationError` where one can't be written.
    func write(_ files: [(path: String, text: String)]) throws {
        do {
            for file in files {
                let url = URL(filePath: path).appending(path: file.path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.text.utf8).write(to: url)
            }
        } catch {
            throw ValidationError("'\(path)' can't be written: name a folder that this user may write into.")
        }
    }
}
