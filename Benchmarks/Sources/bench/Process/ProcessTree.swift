import Foundation
import Glibc

/// A process and everything it started, such as nginx's master and its workers.
struct ProcessTree: Sendable {
    /// The process at the top.
    let root: Int32

    /// The processes of the tree that are alive now, the root first.
    func processes() -> [ProcessStat] {
        let everything = Self.everyProcess().filter { $0.state != "Z" }
        let children = Dictionary(grouping: everything, by: \.parent)
        var found = everything.filter { $0.pid == root }
        var next = 0
        while next < found.count {
            found += children[found[next].pid] ?? []
            next += 1
        }
        return found
    }

    /// Processor time used so far by the processes that are alive, in seconds, to a clock tick (10 ms on Linux).
    func processorSeconds() -> Double {
        let ticks = processes().reduce(0) { $0 + $1.userTicks + $1.systemTicks }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident memory, in bytes, summed over the processes: pages that they share count once for each.
    func residentBytes() -> Int {
        processes().reduce(0) { $0 + ResidentMemory.bytes(of: $1.pid) }
    }

    private static func everyProcess() -> [ProcessStat] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int32($0) != nil }.compactMap { name in
            // A process may end between the listing and this line.
            guard let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8) else { return nil }
            return ProcessStat(parsing: line)
        }
    }
}
