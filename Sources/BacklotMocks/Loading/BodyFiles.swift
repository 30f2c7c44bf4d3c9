import BacklotHTTP

/// The files that answers name: those in `__files`.
final class BodyFiles: Sendable {
    private let folder: RoutesFolder
    private let names = Locked<[String]>([])

    init(_ folder: RoutesFolder) {
        self.folder = folder
    }

    /// What was asked for, by paths below the folder.
    var asked: [String] { names.withLock { $0 } }

    /// The bytes of a file that a field names.
    func read(_ field: Field) throws(StubProblem) -> [UInt8] {
        let name = try field.string()
        guard !name.contains("{{") else {
            throw field.problem("a file's name has no tags here; name one file, or several answers with one each")
        }
        let path = "__files/\(name.hasPrefix("/") ? String(name.dropFirst()) : name)"
        names.withLock { $0.append(path) }
        do throws(UnreadableFile) {
            return try folder.read(path)
        } catch {
            throw field.problem("\(path) \(error.reason)")
        }
    }
}
