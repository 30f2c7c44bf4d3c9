import Backlot
import BacklotHTTP

/// The folder of the routes. Only regular files in it are read: no path and no link leads out.
package struct RoutesFolder: Sendable {
    /// The largest file that is read, in bytes.
    package static let largestFile = 32 * 1024 * 1024

    package let path: String
    private let folder: FileFolder

    /// nil when there is no folder.
    package init?(_ path: String) {
        guard let folder = FileFolder(path) else { return nil }
        self.path = path
        self.folder = folder
    }

    /// Its present files; nil when the folder is gone. It blocks.
    package func list() -> FolderListing? { FolderListing(path) }

    /// The bytes of a file. It blocks.
    ///
    /// - Parameter name: the path below the folder.
    /// - Throws: `UnreadableFile`.
    package func read(_ name: String) throws(UnreadableFile) -> [UInt8] {
        // In a file's name a percent sign encodes nothing.
        let encoded = name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        guard let file = FilePath("/\(encoded)", below: "") else {
            throw UnreadableFile(
                reason: "is no path to a file in the folder; '..' and names with a dot at their start are not followed"
            )
        }
        do throws(FileError) {
            if case .file(let open) = try folder.open(file.name, mayBlock: true), open.size <= Self.largestFile {
                return try open.bytes()
            }
        } catch {
            throw UnreadableFile(reason: "can't be read: \(error)")
        }
        throw UnreadableFile(
            reason:
                "is not there, or is no regular file of at most \(Self.largestFile) bytes that may be read; links are not followed"
        )
    }
}

/// Why a file can't be read.
package struct UnreadableFile: Error {
    package let reason: String
}

/// The files that answers name: those in `__files`.
final class BodyFiles: Sendable {
    private let folder: RoutesFolder
    private let names = Locked<[String]>([])

    init(_ folder: RoutesFolder) {
        self.folder = folder
    }

    /// The files that were asked for, by their paths below the folder.
    var asked: [String] { names.withLock { $0 } }

    /// The bytes of a file that a field names.
    func read(_ field: LocatedValue) throws(StubProblem) -> [UInt8] {
        let name = try field.string()
        guard !name.contains("{{") else {
            throw field.problem("a file's name has no tags here; name one file, or several answers with one each")
        }
        let path = "__files/\(name.hasPrefix("/") ? String(name.dropFirst()) : name)"
        names.withLock { $0.append(path) }
        do throws(UnreadableFile) {
            return try folder.read(path)
        } catch {
            let names = folder.list()?.files.keys.filter { $0.hasPrefix("__files/") }.sorted() ?? []
            let near = names.contains(path) ? nil : Suggestion.nearest(to: path, among: names)
            let hint = near.map { "; did you mean '\($0.dropFirst("__files/".count))'?" } ?? ""
            throw field.problem("\(path) \(error.reason)\(hint)")
        }
    }
}
