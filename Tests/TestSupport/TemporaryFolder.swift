internal import BacklotHTTP
internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder of a test's own.
public struct TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Writes a file, and the folders on the way to it, and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Writes a text in UTF-8; otherwise as `write` for bytes.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    /// Gives a file another size: what is beyond it is lost, and what is new is zero.
    public func truncate(_ name: String, to size: Int) throws {
        let path = "\(path)/\(name)"
        guard setSize(path, off_t(size)) == 0 else { throw FileError(path: path, code: errno) }
    }

    /// Writes `size` bytes that repeat nowhere, and returns them.
    public func writeNoise(_ size: Int, to name: String) throws -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<size).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        try write(bytes, to: name)
        return bytes
    }
}

/// Runs `body` with a new folder, and removes it afterwards.
public func withTemporaryFolder<Result>(
    _ body: (TemporaryFolder) async throws -> Result
) async throws -> Result {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    return try await body(TemporaryFolder(path: folder.path))
}

/// How many descriptors of this process are open on the file at a path.
public func openDescriptors(of path: String) throws -> Int {
    #if os(Linux)
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    #else
    0
    #endif
}

/// `truncate`, which the method of that name hides.
private func setSize(_ path: String, _ size: off_t) -> Int32 {
    unsafe truncate(path, size)
}
