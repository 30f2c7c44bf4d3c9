package import Logging
internal import Synchronization

/// What a server does with a page or document that clients would refuse.
public enum Validation: Sendable {
    /// `answer` in debug builds, `log` in others.
    case automatic
    /// The answer is an error that lists what is wrong, instead of the page.
    case answer
    /// The page goes out. What is wrong with it is logged, at the first request for it only.
    case log
    /// Pages are not judged.
    case off

    /// What `automatic` stands for.
    fileprivate var resolved: Validation {
        guard case .automatic = self else { return self }
        #if DEBUG
        return .answer
        #else
        return .log
        #endif
    }
}

/// Judges the answers of one page before they go out.
package final class AnswerValidator: Sendable {
    private let validation: Validation
    private let noun: String
    private let logger: Logger
    /// Whether findings have been logged.
    private let isLogged = Atomic(false)

    /// - Parameter noun: what is judged: `page`.
    package init(_ validation: Validation, of noun: String, logger: Logger) {
        self.validation = validation.resolved
        self.noun = noun
        self.logger = logger
    }

    /// Judges an answer to a request.
    ///
    /// - Parameter findings: judges the answer.
    /// - Returns: the text to answer instead; nil when the answer may go out.
    package func refusal(of request: Request, _ findings: () -> [Finding]) -> String? {
        switch validation {
        case .off: return nil
        case .log where isLogged.load(ordering: .relaxed): return nil
        case .answer where request.isCheck: return nil  // a check judges the answer itself
        case .answer, .log, .automatic: break
        }
        let findings = findings()
        if !isLogged.exchange(true, ordering: .relaxed), !findings.isEmpty {
            let list = findings.map { "\n\($0.details)" }.joined()
            logger.warning("\(request.path) breaks rules that clients rely on:\(list)")
        }
        guard case .answer = validation, findings.contains(where: { $0.severity == .error }) else { return nil }
        let list = findings.map(\.details).joined(separator: "\n\n")
        return "This \(noun) breaks rules that clients rely on.\n\n\(list)\n"
    }
}
