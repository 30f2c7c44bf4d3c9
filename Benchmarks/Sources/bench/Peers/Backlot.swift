import Foundation

extension Peer {
    /// Our own server.
    static let backlot = product("bench-server-backlot", as: .backlot)

    /// Our own server, with a folder of files, and answers compressed where the client wants it.
    static let backlotWithFiles = backlotWithFiles(descriptors: nil)

    /// The same, with so many descriptors.
    static func backlotWithFiles(descriptors: Int?) -> Peer {
        product("bench-server-backlot", as: .backlot, descriptors: descriptors) { workspace in
            ["--files", try BenchFiles.folder(in: workspace).path]
        }
    }
}
