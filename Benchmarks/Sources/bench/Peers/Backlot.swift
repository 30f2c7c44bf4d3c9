import Foundation

extension Peer {
    /// Our own server.
    static let backlot = product("bench-server-backlot", as: .backlot)

    /// Our own server, with a folder of files, and answers compressed where the client wants it.
    static let backlotWithFiles = product("bench-server-backlot", as: .backlot) { workspace in
        ["--files", try BenchFiles.folder(in: workspace).path]
    }
}
