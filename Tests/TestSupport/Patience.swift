internal import Foundation

/// The allowance for slow programs, such as those under a sanitizer.
public enum Patience {
    /// The factor for the times that a test waits, and for the times that it measures. It is the number of seconds in
    /// `BACKLOT_PATIENCE` divided by 30, and at least 1.
    public static let factor: Int = {
        let seconds = ProcessInfo.processInfo.environment["BACKLOT_PATIENCE"].flatMap(Int.init)
        return max(1, (seconds ?? 0) / 30)
    }()
}
