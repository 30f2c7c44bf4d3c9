internal import BacklotHTTP
package import Logging
internal import Synchronization

/// What a server does with a page or document that clients would refuse.
public enum Validation: Sendable {
    /// `answer` in debug builds, `log` in others.
    case automatic
    /// The answer is an error that lists what is wrong, instead of the page.
    case answer
    /// Pages are sent, and their findings are logged: at the first request for a page, or once for each shape where a method
    /// sends pages of several shapes.
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
    /// Whether the first answer of a page of one shape has been judged and logged.
    private let isFirstSeen = Atomic(false)
    /// The shapes of answers that have been judged and logged, of a page of several.
    private let seenShapes = Locked<Set<UInt64>>([])
    /// The most shapes that are judged: an answer without end of shapes would make each request slow.
    private static let maximumShapes = 256

    /// - Parameter noun: what is judged: `page`.
    package init(_ validation: Validation, of noun: String, logger: Logger) {
        self.validation = validation.resolved
        self.noun = noun
        self.logger = logger
    }

    /// Judges an answer to a request.
    ///
    /// - Parameters:
    ///   - answer: the answer as JSON, where one route has answers of different shapes; nil where the first answer stands for all.
    ///   - findings: judges the answer.
    /// - Returns: the text to answer instead; nil when the answer may go out.
    package func refusal(of request: Request, answer: [UInt8]? = nil, _ findings: () -> [Finding]) -> String? {
        let isNew: Bool
        switch validation {
        case .off: return nil
        case .answer where request.isCheck: return nil  // a check judges the answer itself
        case .log:
            isNew = isNewShape(of: answer)
            if !isNew { return nil }
        case .answer, .automatic: isNew = isNewShape(of: answer)
        }
        let findings = findings()
        if isNew, !findings.isEmpty {
            let list = findings.map { "\n\($0.details)" }.joined()
            logger.warning("\(request.path) breaks rules that clients rely on:\(list)")
        }
        guard case .answer = validation, findings.contains(where: { $0.severity == .error }) else { return nil }
        let list = findings.map(\.details).joined(separator: "\n\n")
        return "This \(noun) breaks rules that clients rely on.\n\n\(list)\n"
    }

    private func isNewShape(of answer: [UInt8]?) -> Bool {
        guard let answer else {
            // Most requests end here. A plain load leaves the cache line shared; an exchange would take it from the other loops.
            return !isFirstSeen.load(ordering: .relaxed) && !isFirstSeen.exchange(true, ordering: .relaxed)
        }
        let shape = PageShape.fingerprint(answer)
        return seenShapes.withLock { $0.count < Self.maximumShapes && $0.insert(shape).inserted }
    }
}
