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
    /// The path of the folder.
    public let path: String

    /// Writes a file, and the folders on the way to it, and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = "\(path)/\(name)"
        if let slash = name.lastIndex(of: "/") {
            let folder = "\(self.path)/\(name[..<slash])"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        // Not `Data.write`, which waits until the disk has it: minutes where others use the disk.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe writeBytes(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FileError(path: path, code: errno) }
            rest = rest.dropFirst(count)
        }
        return path
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

    /// The names of the files and folders in it, in their order.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Removes a file or folder.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    /// Moves a file or folder.
    public func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }

    /// Lets nobody read a file, who isn't root.
    public func forbid(_ name: String) throws {
        let path = "\(path)/\(name)"
        guard unsafe chmod(path, 0) == 0 else { throw FileError(path: path, code: errno) }
    }

    /// Whether a file can be read.
    public func canRead(_ name: String) -> Bool {
        let path = "\(path)/\(name)"
        return unsafe access(path, R_OK) == 0
    }

    /// Sets when a file was changed last.
    public func setModified(_ name: String, _ seconds: Int, nanoseconds: Int = 0) throws {
        let path = "\(path)/\(name)"
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        let times = [time, time]
        guard unsafe utimensat(AT_FDCWD, path, times, 0) == 0 else { throw FileError(path: path, code: errno) }
    }

    /// Makes Linux forget a file's bytes, so that they must come from the disk. It does nothing on other systems.
    public func evict(_ name: String) throws {
        #if os(Linux)
        let path = "\(path)/\(name)"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
            throw FileError(path: path, code: errno)
        }
        #endif
    }

    /// Makes a FIFO.
    public func makeFIFO(_ name: String) throws {
        let path = "\(path)/\(name)"
        guard unsafe mkfifo(path, 0o644) == 0 else { throw FileError(path: path, code: errno) }
    }

    /// Makes a symbolic link.
    public func makeLink(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }

    /// Writes `size` bytes, and returns them. No piece of any length that matters is in two places.
    public func writeNoise(_ size: Int, to name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        // Whole blocks, each after its offset: making every byte separately takes seconds in debug builds.
        while bytes.count < size {
            unsafe withUnsafeBytes(of: UInt64(bytes.count)) { unsafe bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: Self.block)
        }
        bytes.removeLast(bytes.count - size)
        try write(bytes, to: name)
        return bytes
    }

    private static let block = (0..<4091).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3 &+ $0) }
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

/// The number of descriptors of this process that are open on the file at a path; 0 on other systems than Linux.
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

/// `write`, which the method of that name hides.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
