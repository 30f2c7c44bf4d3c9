public import Foundation

extension Process {
    /// Waits for what the process writes, or for its end. If that takes longer than some seconds, the process is killed, so that the
    /// wait ends, and the log says so. Under a sanitizer it may take longer.
    ///
    /// - Parameter seconds: less than the time limit of tests, so that a test says what it waited for.
    public func limited<Result>(seconds: Int = 200, _ wait: () throws -> Result) rethrows -> Result {
        let (name, identifier) = (executableURL?.lastPathComponent ?? "", processIdentifier)
        let seconds = seconds * Patience.factor
        let killer = DispatchWorkItem {
            FileHandle.standardError.write(Data("✘ \(name) was killed: a test has waited \(seconds) s for it\n".utf8))
            kill(identifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: killer)
        defer { killer.cancel() }
        return try wait()
    }
}
