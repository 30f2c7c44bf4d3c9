import Backlot
import BacklotJSON
import Logging

/// Judges pages before they go out.
final class PageJudge: Sendable {
    private let validation: PageValidation
    private let methods: Set<String>
    private let readings: RuleReadings
    private let logger: Logger
    /// The methods whose pages have been judged, where judging once is enough.
    private let judged = Locked<Set<String>>([])

    init(_ configuration: XpediteConfiguration, methods: Set<String>, logger: Logger) {
        validation = configuration.validation.resolved
        readings = configuration.rules
        self.methods = methods
        self.logger = logger
    }

    /// Judges a page that a method answers with.
    ///
    /// - Returns: what is wrong with it, for an answer instead of the page; nil when the page may go out.
    func judge(_ packet: [UInt8], of method: String, images: Set<String>) -> String? {
        switch validation {
        case .off: return nil
        case .log where !judged.withLock({ $0.insert(method).inserted }): return nil
        case .answer, .log, .automatic: break
        }
        let inspector = XpediteInspector(facts: AppFacts(methods: methods, images: images), readings: readings)
        let findings = inspector.findings(inBody: packet, path: method, app: nil)
        guard !findings.isEmpty else { return nil }
        let list = findings.map(\.details).joined(separator: "\n")
        let isNew = if case .log = validation { true } else { judged.withLock { $0.insert(method).inserted } }
        if isNew { logger.warning("the page of \(method) breaks rules that clients rely on:\n\(list)") }
        guard case .answer = validation, findings.contains(where: { $0.severity == .error }) else { return nil }
        return "This page breaks rules that clients rely on.\n\n\(list)"
    }
}
