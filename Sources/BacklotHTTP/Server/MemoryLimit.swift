#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The memory that the process's control groups allow, such as a container's limit (Linux, cgroups(7)).
enum MemoryLimit {
    /// In bytes; nil without a limit, or if the system has no control groups.
    static let current = bytes(reading: read)

    /// The least limit of the process's group and the groups above it. Inside a container, only the container's group is visible,
    /// as the root.
    ///
    /// - Parameter read: reads the text of a file; nil if the file doesn't exist.
    static func bytes(reading read: (String) -> String?) -> Int? {
        var least: Int?
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let root: String
            let file: String
            if fields[0] == "0" && fields[1].isEmpty {
                (root, file) = ("/sys/fs/cgroup", "memory.max")
            } else if fields[1].split(separator: ",").contains("memory") {
                (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                continue
            }
            var group = fields[2].split(separator: "/")
            while true {
                let path = ([Substring(root)] + group + [Substring(file)]).joined(separator: "/")
                // "max", and the largest number of pages, mean no limit.
                if let limit = read(path).flatMap({ Int($0.filter(\.isNumber)) }), limit > 0, limit < 1 << 60 {
                    least = min(least ?? limit, limit)
                }
                if group.popLast() == nil { break }
            }
        }
        return least
    }

    private static func read(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
