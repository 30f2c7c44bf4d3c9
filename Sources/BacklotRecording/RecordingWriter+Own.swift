import Backlot
import BacklotMocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RecordingWriter {
    /// The files that one recording has written, which it may replace.
    package struct OwnFiles: Sendable {
        fileprivate var files: [String: [UInt8]] = [:]
        private var conflicts: Set<String> = []

        /// No files.
        package init() {}

        /// Notes a file that could not be written because of another one.
        ///
        /// - Returns: whether that is new.
        mutating func noteConflict(_ file: String) -> Bool { conflicts.insert(file).inserted }
    }

    /// Writes the files of a recording that goes on. At each moment what is on the disk can be served: bodies come before the
    /// routes that name them, and go after them.
    ///
    /// - Parameters:
    ///   - update: whether the files of others are replaced, also those that answer the same routes by other names.
    ///   - own: what the recording has written so far. What is no longer part of it is removed.
    ///   - leavingConflicts: whether files are left out that others stand against.
    /// - Returns: the files that were left out.
    /// - Throws: `Mistake`. Before anything is written, when a secret is in a file, or a file of somebody else is there.
    package func write(
        _ files: [RecordedFile],
        update: Bool,
        own: inout OwnFiles,
        leavingConflicts: Bool = false
    ) throws(Mistake) -> [String] {
        try check(files)
        var files = files
        let present = files.map(\.path).filter { isTaken($0, own.files) }
        var left: Set<String> = []
        let folder: RoutesFolder
        if leavingConflicts, !update {
            let taken = Set(others(than: files).filter { own.files[$0] == nil }.flatMap { Self.routes(of: $0) })
            left = Set(files.map(\.path).filter { !taken.isDisjoint(with: Self.routes(of: $0)) }).union(present)
            files.removeAll { left.contains($0.path) }
            folder = try open()
        } else {
            let rivals = try rivals(of: files, besides: own.files)
            guard update || present.isEmpty && rivals.isEmpty else {
                let names = Set(present + rivals).sorted().joined(separator: ", ")
                throw Mistake(
                    text: "nothing was written: these files are there already; --update replaces them: \(names)",
                    kind: .conflict
                )
            }
            folder = try open()
            for rival in rivals { try remove(rival, from: folder) }
        }
        let paths = Set(files.map(\.path))
        let obsolete = own.files.keys.filter { !paths.contains($0) && !left.contains($0) }.sorted()
        let routes = Dictionary(grouping: obsolete.filter { !Self.isBody($0) }, by: Self.stem)
        // Bodies first: no route names a file that isn't there.
        let sorted = files.sorted {
            (Self.isBody($0.path) ? 0 : 1, $0.path) < (Self.isBody($1.path) ? 0 : 1, $1.path)
        }
        for file in sorted {
            for former in routes[Self.stem(file.path)] ?? [] where !Self.isBody(file.path) {
                try remove(former, from: folder, &own)
            }
            if own.files[file.path] == file.bytes, bytes(of: file.path) == file.bytes { continue }
            do throws(UnwritableFile) {
                try folder.write(file.bytes, to: file.path)
            } catch {
                throw Mistake(text: "in '\(path)', \(error.reason)")
            }
            own.files[file.path] = file.bytes
        }
        for former in obsolete.filter({ !Self.isBody($0) }) + obsolete.filter(Self.isBody) {
            try remove(former, from: folder, &own)
        }
        return left.sorted()
    }

    private func remove(_ file: String, from folder: RoutesFolder, _ own: inout OwnFiles) throws(Mistake) {
        guard let bytes = own.files.removeValue(forKey: file) else { return }
        // Somebody may have changed it since.
        if self.bytes(of: file) == bytes { try remove(file, from: folder) }
    }

    private func remove(_ file: String, from folder: RoutesFolder) throws(Mistake) {
        do throws(UnwritableFile) {
            _ = try folder.remove(file)
        } catch {
            throw Mistake(text: "in '\(path)', \(error.reason)")
        }
    }

    /// Whether somebody else's file has a name.
    private func isTaken(_ file: String, _ own: [String: [UInt8]]) -> Bool {
        guard let found = bytes(of: file) else { return FileManager.default.fileExists(atPath: "\(path)/\(file)") }
        return own[file] != found
    }

    private func bytes(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(file)").map(Array.init)
    }

    private static func isBody(_ file: String) -> Bool { file.hasPrefix("__files/") }

    /// The path without kind and format: files with the same one may answer the same route.
    private static func stem(_ file: String) -> String {
        file.split(separator: ".", omittingEmptySubsequences: false).dropLast(2).joined(separator: ".")
    }
}
