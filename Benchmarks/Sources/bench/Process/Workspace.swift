import Foundation

/// A temporary folder for configuration and logs, and the folder of the programs that were built with this one.
struct Workspace: Sendable {
    /// The temporary folder.
    let folder: URL
    /// Where the servers' programs are.
    let programs: URL
    /// The processor that programs are confined to; nil for any.
    private(set) var processor: Int?
    /// How many connections a server must be able to hold.
    private(set) var connections = 16_384

    /// Makes the temporary folder.
    init() throws {
        let temporary = FileManager.default.temporaryDirectory
        folder = temporary.appendingPathComponent("backlot-bench-\(UUID().uuidString)", isDirectory: true)
        programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes a file into the temporary folder.
    func file(_ name: String, holding text: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// The program of one of this package's products.
    func program(_ product: String) -> URL {
        programs.appendingPathComponent(product)
    }

    /// The shipped demo-server. Another package builds it: `make static`, in the project's folder.
    var demoServer: URL {
        // Benchmarks/.build/TRIPLE/release
        var folder = programs
        for _ in 1...4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent(".build/release/demo-server")
    }

    /// The same, for programs that run on one processor only.
    func on(processor: Int) -> Workspace {
        var workspace = self
        workspace.processor = processor
        return workspace
    }

    /// The same, for servers that can hold so many connections, and some more.
    func holding(connections: Int) -> Workspace {
        var workspace = self
        workspace.connections = max(workspace.connections, connections + connections / 4)
        return workspace
    }

    /// Removes the temporary folder with everything in it.
    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
