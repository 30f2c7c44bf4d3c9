import Foundation

/// The files that servers are asked for.
enum BenchFiles {
    /// Their paths below the folder, and their sizes in bytes.
    static let sizes = ["/10k.bin": 10_240, "/1m.bin": 1_048_576]
    /// Some JSON that compresses as pages do.
    static let json = "/page.json"

    /// The folder, made when it isn't there.
    static func folder(in workspace: Workspace) throws -> URL {
        let folder = workspace.folder.appendingPathComponent("files", isDirectory: true)
        guard !FileManager.default.fileExists(atPath: folder.path) else { return folder }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, size) in sizes {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            try Data(bytes).write(to: folder.appendingPathComponent(path))
        }
        let rows = (0..<50).map { "{\"number\":\($0),\"page\":\(DocumentedPage.body)}" }
        try Data("[\(rows.joined(separator: ","))]".utf8).write(to: folder.appendingPathComponent(json))
        return folder
    }
}
