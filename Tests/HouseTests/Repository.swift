import FoundationEssentials

/// The checkout that the tests were built from.
enum Repository {
    /// Its folder.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// Whether there is a file or folder.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The Swift files below a folder, as paths from the root.
    static func swiftFiles(in folder: String) throws -> [String] {
        try files(in: folder) { $0.hasSuffix(".swift") }
    }

    /// Some files below a folder, as paths from the root.
    static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter(isWanted)
            .map { "\(folder)/\($0)" }
            .sorted()
    }
}
