internal import Foundation

/// How much slower than usual programs may be: some are, under a sanitizer.
public enum Patience {
    /// How many times as long as usual a test waits, and what it measures may take. `BACKLOT_PATIENCE` says it in seconds, of
    /// which 30 are usual.
    public static let factor: Int = {
        let seconds = ProcessInfo.processInfo.environment["BACKLOT_PATIENCE"].flatMap(Int.init)
        return max(1, (seconds ?? 0) / 30)
    }()
}
