import Foundation

/// Programs that the system has installed.
enum Executable {
    /// Looks for a program in the folders of PATH, then in the system's own, which PATH often leaves out.
    /// - Throws: ``CheckFailure`` if it is in none.
    static func find(_ name: String) throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for folder in path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"] {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        }
        throw CheckFailure("\(name) is not installed; `make bench` installs it")
    }
}
