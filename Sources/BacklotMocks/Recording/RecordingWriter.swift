import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts the files of a recording into a folder.
package struct RecordingWriter {
    /// Why nothing, or not all, was written.
    package struct Mistake: Error, Equatable {
        package let text: String
    }

    private let path: String
    private let secrets: [String]

    /// A writer.
    ///
    /// - Parameters:
    ///   - folder: the folder of the routes. It is made if it isn't there.
    ///   - secrets: texts of which none may be in any file, however they are encoded.
    package init(_ folder: String, secrets: [String] = []) {
        path = folder
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    /// The secrets of a list, one in each line that isn't blank, without the blanks around them.
    package static func secrets(in list: [UInt8]) -> [String] {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = list.starts(with: byteOrderMark) ? list[byteOrderMark.count...] : list[...]
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { String($0.trimmed) }
            .filter { !$0.isEmpty }
    }

    /// Writes the files, each at once: whoever reads one sees the old or the new one.
    ///
    /// - Parameter update: whether files that are there are replaced.
    /// - Throws: `Mistake`. Before anything is written, when a secret is in a file, or a file is there already.
    package func write(_ files: [RecordedFile], update: Bool = false) throws(Mistake) {
        try check(files)
        if !update {
            let present = files.map(\.path).filter { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
            guard present.isEmpty else {
                throw Mistake(
                    text:
                        "nothing was written: these files are there already; --update replaces them: \(present.sorted().joined(separator: ", "))"
                )
            }
        }
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
            throw Mistake(text: "'\(path)' is a file: name a folder")
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Mistake(text: "the folder '\(path)' can't be made: name one that this user may write into")
        }
        guard let folder = RoutesFolder(path) else {
            throw Mistake(text: "the folder '\(path)' can't be read: name one that this user may read and write")
        }
        // Bodies first: no route names a file that isn't there.
        let sorted = files.sorted {
            ($0.path.hasPrefix("__files/") ? 0 : 1, $0.path) < ($1.path.hasPrefix("__files/") ? 0 : 1, $1.path)
        }
        for file in sorted {
            do throws(UnwritableFile) {
                try folder.write(file.bytes, to: file.path)
            } catch {
                throw Mistake(text: "in '\(path)', \(error.reason)")
            }
        }
    }

    /// Looks for secrets. What is said of one is its place in the list, not the secret.
    private func check(_ files: [RecordedFile]) throws(Mistake) {
        for (index, secret) in secrets.enumerated() {
            let spellings = Set(SecretReplacement.spellings(of: secret).map { Array($0.text.utf8) })
            for file in files {
                func holds(_ bytes: [UInt8]) -> Bool { spellings.contains { bytes.firstRange(of: $0) != nil } }
                let isInName = holds(Array(file.path.utf8))
                guard isInName || holds(file.bytes) else { continue }
                let place = isInName ? "the name of a file" : file.path
                throw Mistake(text: "nothing was written: secret \(index + 1) of the list would be in \(place)")
            }
        }
    }
}
