import Foundation

/// The machine that the figures are from. They mean nothing beside those of another.
enum Machine {
    /// Its processors, and how busy they were in the last minute, the run's own load included.
    static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first
        return "\(cores) cores, load average \(load ?? "unknown")"
    }
}
