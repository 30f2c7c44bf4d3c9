import Backlot
import BacklotMocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts the files of a recording into a folder.
package struct RecordingWriter {
    /// Why nothing, or not all, was written.
    package struct Mistake: Error, Equatable {
        /// The kinds of mistakes that make a difference.
        package enum Kind: Sendable {
            /// A file would hold a secret.
            case secret
            /// Files of somebody else are there.
            case conflict
            /// The folder, or the disk.
            case folder
        }

        package let text: String
        package var kind = Kind.folder
    }

    let path: String
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

    /// A name for the scenario of a recording that no file of the folder has yet: `base`, or `base-2` and so on.
    package func unusedScenario(_ base: String) -> String {
        guard let folder = RoutesFolder(path), let files = folder.list()?.files.keys else { return base }
        let texts = files.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.compactMap { try? folder.read($0) }
        func isUsed(_ name: String) -> Bool {
            texts.contains {
                $0.firstRange(of: Array("scenarioName".utf8)) != nil && $0.firstRange(of: Array(name.utf8)) != nil
            }
        }
        guard isUsed(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !isUsed($0) } ?? base
    }

    /// Writes the files, each at once: whoever reads one sees the old or the new one.
    ///
    /// - Parameter update: whether files that are there are replaced.
    /// - Throws: `Mistake`. Before anything is written, when a secret is in a file, or a file is there already.
    package func write(_ files: [RecordedFile], update: Bool = false) throws(Mistake) {
        var own = OwnFiles()
        _ = try write(files, update: update, own: &own)
    }

    /// Says early what would keep files from being written, and makes the folder.
    ///
    /// - Throws: `Mistake`.
    package func prepare() throws(Mistake) {
        _ = try open()
        guard FileManager.default.isWritableFile(atPath: path) else {
            throw Mistake(text: "the folder '\(path)' can't be written: name one that this user may write into")
        }
    }

    /// The folder, which is made where it isn't there.
    func open() throws(Mistake) -> RoutesFolder {
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
        return folder
    }

    /// The files of the folder with other names that answer a route of one of these, such as `a.get.json` beside `a.get.yaml`.
    func rivals(of files: [RecordedFile], besides own: [String: [UInt8]]) throws(Mistake) -> [String] {
        let routes = Set(files.flatMap { Self.routes(of: $0.path) })
        let rivals = others(than: files).filter { own[$0] == nil && !routes.isDisjoint(with: Self.routes(of: $0)) }
        for rival in rivals {
            guard let more = Self.routes(of: rival).first(where: { !routes.contains($0) }) else { continue }
            throw Mistake(
                text:
                    "nothing was written: \(rival) answers routes of the new files, but \(more) as well: remove it, or write into another folder",
                kind: .conflict
            )
        }
        return rivals
    }

    /// What files of the folder answer in the place of these, since they name a value where these have a parameter: a line for each.
    package func remarks(on files: [RecordedFile]) -> [String] {
        let others = others(than: files).compactMap(Self.name(of:))
        return files.sorted { $0.path < $1.path }.compactMap { Self.name(of: $0.path) }.flatMap { name in
            others.filter { other in
                other.path.segments.count == name.path.segments.count && other.shape != name.shape
                    && !Set(other.kind.methods).isDisjoint(with: name.kind.methods)
                    && zip(other.path.segments, name.path.segments).allSatisfy { $0 == $1 || $1.name != nil }
            }
            .map { "\($0.file), which was there before, answers \($0.path.text) in the place of \(name.file)" }
        }
    }

    func others(than files: [RecordedFile]) -> [String] {
        let names = Set(files.map(\.path))
        return (RoutesFolder(path)?.list()?.files.keys.sorted() ?? []).filter { !names.contains($0) }
    }

    private static func name(of file: String) -> RouteFileName? {
        file.hasPrefix("__files/") ? nil : try? RouteFileName(file)
    }

    /// What a file answers, such as `GET /users/[]`, by its name.
    static func routes(of file: String) -> [String] {
        name(of: file).map { name in name.kind.methods.map { "\($0.rawValue) \(name.shape)" } } ?? []
    }

    /// Looks for secrets. What is said of one is its place in the list, not the secret.
    ///
    /// - Throws: `Mistake` where one is in a file.
    package func check(_ files: [RecordedFile]) throws(Mistake) {
        for (index, secret) in secrets.enumerated() {
            let hexadecimal = [false, true].map { isUpper in
                secret.utf8.reduce(into: "") { text, byte in
                    text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
                }
            }
            // Short ones stand in other digits by chance.
            let texts = SecretReplacement.spellings(of: secret).map(\.text) + (secret.utf8.count < 4 ? [] : hexadecimal)
            let spellings = Set(texts.map { Array($0.utf8) })
            for file in files {
                func holds(_ bytes: [UInt8]) -> Bool { spellings.contains { bytes.firstRange(of: $0) != nil } }
                let isInName = holds(Array(file.path.utf8))
                guard isInName || holds(file.bytes) || HiddenText.inflated(file.bytes).map(holds) == true else {
                    continue
                }
                let place = isInName ? "the name of a file" : file.path
                throw Mistake(
                    text: "nothing was written: secret \(index + 1) of the list would be in \(place)",
                    kind: .secret
                )
            }
        }
    }
}
