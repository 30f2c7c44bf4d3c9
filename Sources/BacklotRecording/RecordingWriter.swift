import Backlot
import BacklotMocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes the files of a recording into a folder.
package struct RecordingWriter {
    /// The reason why files weren't written, or not all of them.
    package struct WritingError: Error, Equatable {
        /// The kinds of errors that callers distinguish.
        package enum Kind: Sendable {
            /// A file would contain a secret.
            case secret
            /// Files from another source exist.
            case conflict
            /// The folder or the disk failed.
            case folder
        }

        package let text: String
        package var kind = Kind.folder
    }

    /// The files that one recording has written, and may replace.
    package struct OwnFiles: Sendable {
        fileprivate var files: [String: [UInt8]] = [:]
        private var conflicts: Set<String> = []

        /// Creates an empty list.
        package init() {}

        /// Records a file that couldn't be written because of another one.
        ///
        /// - Returns: whether the conflict is new.
        mutating func noteConflict(_ file: String) -> Bool { conflicts.insert(file).inserted }
    }

    private let path: String
    private let secrets: [String]

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - folder: the folder of the routes. The writer creates it if it is missing.
    ///   - secrets: texts that must not occur in any file, in any encoding.
    package init(_ folder: String, secrets: [String] = []) {
        path = folder
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    /// The secrets of a list with one per line. Blank lines, and blanks around a secret, are ignored.
    package static func secrets(in list: [UInt8]) -> [String] {
        String(decoding: SourceText.withoutMark(list), as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { String($0.trimmed) }.filter { !$0.isEmpty }
    }

    // MARK: Existing files

    /// The first unused path: `Routes-recorded`, `Routes-recorded-2`.
    static func free(_ folder: String) -> String {
        var path = folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        path += "-recorded"
        let others = (2...).lazy.map { "\(path)-\($0)" }
        return FileManager.default.fileExists(atPath: path)
            ? others.first { !FileManager.default.fileExists(atPath: $0) } ?? path : path
    }

    /// The temporary folder.
    static var temporaryFolder: String { FileManager.default.temporaryDirectory.path }

    /// Writes files into a temporary folder, and removes it afterwards.
    static func whileWritten<Result>(_ files: [RecordedFile], _ body: (String) throws -> Result) throws -> Result {
        let folder = "\(temporaryFolder)/backlot-\(StubID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try RecordingWriter(folder).write(files)
        return try body(folder)
    }

    private var present: [String] { RoutesFolder(path)?.list()?.files.keys.sorted() ?? [] }

    private func bytes(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(file)").map(Array.init)
    }

    /// Whether a file from another source has this name.
    private func isTaken(_ file: String, _ own: [String: [UInt8]]) -> Bool {
        guard let found = bytes(of: file) else { return FileManager.default.fileExists(atPath: "\(path)/\(file)") }
        return own[file] != found
    }

    private static func isBody(_ file: String) -> Bool { file.hasPrefix("__files/") }

    private static func name(of file: String) -> RouteFileName? { isBody(file) ? nil : try? RouteFileName(file) }

    /// The routes of a file by its name, such as `GET /users/[]`.
    private static func routes(of file: String) -> [String] {
        name(of: file)?.routes ?? []
    }

    /// An unused name for a recording's scenario: `base`, or `base-2` and so on.
    package func unusedScenario(_ base: String) -> String {
        let texts = present.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
            .compactMap { bytes(of: $0) }.filter { $0.firstRange(of: Array("scenarioName".utf8)) != nil }
        func isFree(_ name: String) -> Bool { !texts.contains { $0.firstRange(of: Array(name.utf8)) != nil } }
        return isFree(base) ? base : (2...).lazy.map { "\(base)-\($0)" }.first(where: isFree) ?? base
    }

    /// Existing files that take precedence over these, because they name a value where these have a parameter: a line for each.
    package func remarks(on files: [RecordedFile]) -> [String] {
        let names = Set(files.map(\.path))
        let others = present.filter { !names.contains($0) }.compactMap(Self.name)
        return names.sorted().compactMap(Self.name).flatMap { name in
            others.filter { other in
                other.path.segments.count == name.path.segments.count && other.shape != name.shape
                    && (other.kind == .ws) == (name.kind == .ws)
                    && !Set(other.kind.methods).isDisjoint(with: name.kind.methods)
                    && zip(other.path.segments, name.path.segments).allSatisfy { $0 == $1 || $1.name != nil }
            }
            .map { "\($0.file), which existed before, responds at \($0.path.text) in place of \(name.file)" }
        }
    }

    /// Looks for secrets. Errors name a secret's position in the list instead of the secret.
    ///
    /// - Throws: `WritingError` if a secret is in a file.
    package func check(_ files: [RecordedFile]) throws(WritingError) {
        for (index, secret) in secrets.enumerated() {
            let hexadecimal = [false, true].map { isUpper in
                secret.utf8.reduce(into: "") { text, byte in
                    text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
                }
            }
            // Short hexadecimal texts occur by chance.
            let texts = SecretReplacement.spellings(of: secret).map(\.text) + (secret.utf8.count < 4 ? [] : hexadecimal)
            let spellings = Set(texts.map { Array($0.utf8) })
            func isIn(_ bytes: [UInt8]) -> Bool { spellings.contains { bytes.firstRange(of: $0) != nil } }
            for file in files {
                let isInName = isIn(Array(file.path.utf8))
                guard isInName || isIn(file.bytes) || HiddenText.inflated(file.bytes).map(isIn) == true else {
                    continue
                }
                let place = isInName ? "the name of a file" : file.path
                throw WritingError(
                    text: "nothing was written: secret \(index + 1) of the list would be in \(place)",
                    kind: .secret
                )
            }
        }
    }

    // MARK: Writing

    /// Checks early that the files can be written, and creates the folder.
    ///
    /// - Throws: `WritingError`.
    package func prepare() throws(WritingError) {
        _ = try open()
        guard FileManager.default.isWritableFile(atPath: path) else {
            throw WritingError(text: "the folder '\(path)' can't be written: name one that this user may write into")
        }
    }

    /// The folder, which is created if it is missing.
    private func open() throws(WritingError) -> RoutesFolder {
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
            throw WritingError(text: "'\(path)' is a file: name a folder")
        }
        let problem = "the folder '\(path)' can't be made: name one that this user may write into"
        try mapErrors({ _ in WritingError(text: problem) }) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        guard let folder = RoutesFolder(path) else {
            throw WritingError(text: "the folder '\(path)' can't be read: name one that this user may read and write")
        }
        return folder
    }

    /// Writes the files, each atomically: readers see the old or the new content.
    ///
    /// - Parameter update: whether to replace existing files.
    /// - Throws: `WritingError`. If a file contains a secret or exists already, no file is written.
    package func write(_ files: [RecordedFile], update: Bool = false) throws(WritingError) {
        var own = OwnFiles()
        _ = try write(files, update: update, own: &own)
    }

    /// Writes the files of a recording in progress. The folder can be served at any moment: bodies are written before the routes
    /// that name them, and removed after them.
    ///
    /// - Parameters:
    ///   - update: whether to replace files from other sources, including those of the same routes with other names, such as
    ///     `a.get.json` beside `a.get.yaml`.
    ///   - own: the files that the recording has written so far. Obsolete files are removed.
    ///   - leavingConflicts: whether to leave out files that conflict with others.
    /// - Returns: the files that were left out.
    /// - Throws: `WritingError`. If a file contains a secret, or if a file from another source exists, no file is written.
    package func write(
        _ files: [RecordedFile],
        update: Bool,
        own: inout OwnFiles,
        leavingConflicts: Bool = false
    ) throws(WritingError) -> [String] {
        // A settings file from another source stays.
        let isSet = bytes(of: RecordedFile.settings) != nil && own.files[RecordedFile.settings] == nil
        let files = isSet ? files.filter { $0.path != RecordedFile.settings } : files
        try check(files)
        let names = Set(files.map(\.path))
        let others = present.filter { !names.contains($0) && own.files[$0] == nil }
        var left = names.filter { isTaken($0, own.files) }
        var rivals: [String] = []
        if leavingConflicts, !update {
            let taken = Set(others.flatMap(Self.routes))
            left.formUnion(names.filter { !taken.isDisjoint(with: Self.routes(of: $0)) })
        } else {
            rivals = try self.rivals(of: names, among: others)
            guard update || left.isEmpty && rivals.isEmpty else {
                throw WritingError(
                    text:
                        "nothing was written: these files are there already; --update replaces them: \(left.union(rivals).sorted().joined(separator: ", "))",
                    kind: .conflict
                )
            }
            left = []
        }
        let folder = try open()
        for rival in rivals { try remove(rival, from: folder) }
        let obsolete = own.files.keys.filter { !names.contains($0) }.sorted()
        let former = Dictionary(grouping: obsolete.filter { !Self.isBody($0) }, by: Self.stem)
        let sorted = files.filter { !left.contains($0.path) }.sorted { $0.path < $1.path }
        // Bodies first, so that no route names a missing file.
        for file in sorted.filter({ Self.isBody($0.path) }) + sorted.filter({ !Self.isBody($0.path) }) {
            if !Self.isBody(file.path) {
                for former in former[Self.stem(file.path)] ?? [] { try remove(former, from: folder, &own) }
            }
            if own.files[file.path] == file.bytes, bytes(of: file.path) == file.bytes { continue }
            try mapErrors({ WritingError(text: "in '\(path)', \($0)") }) { try folder.write(file.bytes, to: file.path) }
            own.files[file.path] = file.bytes
        }
        for former in obsolete.filter({ !Self.isBody($0) }) + obsolete.filter(Self.isBody) {
            try remove(former, from: folder, &own)
        }
        return left.sorted()
    }

    /// Other files with a route of these files.
    private func rivals(of names: Set<String>, among others: [String]) throws(WritingError) -> [String] {
        let routes = Set(names.flatMap(Self.routes))
        let rivals = others.filter { !routes.isDisjoint(with: Self.routes(of: $0)) }
        for rival in rivals {
            guard let more = Self.routes(of: rival).first(where: { !routes.contains($0) }) else { continue }
            throw WritingError(
                text:
                    "nothing was written: \(rival) has routes of the new files, but \(more) as well: remove it, or write into another folder",
                kind: .conflict
            )
        }
        return rivals
    }

    private func remove(_ file: String, from folder: RoutesFolder, _ own: inout OwnFiles) throws(WritingError) {
        guard let bytes = own.files.removeValue(forKey: file) else { return }
        // Someone else may have changed it since.
        if self.bytes(of: file) == bytes { try remove(file, from: folder) }
    }

    private func remove(_ file: String, from folder: RoutesFolder) throws(WritingError) {
        _ = try mapErrors({ WritingError(text: "in '\(path)', \($0)") }) { try folder.remove(file) }
    }

    /// The path without kind and format: files with the same one may have the same route.
    private static func stem(_ file: String) -> String {
        file.split(separator: ".", omittingEmptySubsequences: false).dropLast(2).joined(separator: ".")
    }
}
