import Foundation
import Glibc

/// The memory of a process that is in RAM.
enum ResidentMemory {
    /// Resident bytes of one process; 0 if it has ended.
    ///
    /// smaps_rollup counts pages; statm, which stands in where the kernel has no smaps_rollup, may lag by some pages.
    static func bytes(of pid: Int32) -> Int {
        if let text = try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8),
            let bytes = bytes(inRollup: text)
        {
            return bytes
        }
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        return pages(inStatm: text).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } ?? 0
    }

    /// The figure of the line `Rss:   1234 kB`, in bytes.
    static func bytes(inRollup text: String) -> Int? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count == 3, fields[0] == "Rss:", fields[2] == "kB" { return Int(fields[1]).map { $0 * 1024 } }
        }
        return nil
    }

    /// The second of statm's figures.
    static func pages(inStatm text: String) -> Int? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        return fields.count > 1 ? Int(fields[1]) : nil
    }
}

/// What the kernel keeps for sockets, timers, files and the like, of all processes.
enum KernelMemory {
    /// The bytes of its slabs; 0 if the system doesn't say it.
    static var slabBytes: Int {
        (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)).flatMap(slabBytes(in:)) ?? 0
    }

    /// The figure of the line `Slab:   1234 kB`, in bytes.
    static func slabBytes(in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("Slab:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
