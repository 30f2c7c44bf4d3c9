package import Logging

/// Writes to the log why a store refuses to work, when it is news: not once for each request.
package final class ProblemLog: Sendable {
    private let logger: Logger
    private let last = Locked<String?>(nil)

    /// A log without a problem.
    package init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs a problem as an error, unless it is the one that was noted last.
    ///
    /// - Parameter isKnown: whether somebody else logs it.
    package func note(_ problem: some Error & CustomStringConvertible, isKnown: Bool = false) {
        let text = problem.description
        let isNews = last.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNews, !isKnown { logger.error("\(text)") }
    }

    /// Notes that all went well.
    package func clear() { last.withLock { $0 = nil } }
}
