import Backlot
import Logging

/// Judges the documents of one view before they go out.
final class DocumentJudge: Sendable {
    private let name: String
    private let validation: DocumentValidation
    private let catalogue: Catalogue
    private let logger: Logger
    /// The dialects in which findings have been logged.
    private let logged = Locked<Set<Dialect>>([])

    init(_ view: View, _ configuration: DynamicViewsConfiguration, logger: Logger) {
        name = "/\(view.name).json"
        validation = view.exemption == nil ? configuration.validation.resolved : .off
        catalogue = configuration.catalogue
        self.logger = logger
    }

    /// Judges a document.
    ///
    /// - Returns: what to answer instead; nil when the document may go out.
    func judge(_ body: [UInt8], _ dialect: Dialect, for request: Request) -> Response? {
        switch validation {
        case .off: return nil
        case .log where logged.withLock({ $0.contains(dialect) }): return nil
        case .answer where request.isCheck: return nil
        case .answer, .log, .automatic: break
        }
        let inspector = DynamicViewsInspector(dialect: dialect, catalogue: catalogue)
        let findings = inspector.findings(inBody: body, path: name, app: nil)
        if logged.withLock({ $0.insert(dialect).inserted }), !findings.isEmpty {
            let list = findings.map { "\n\($0.details)" }.joined()
            logger.warning("\(request.path) breaks rules that \(dialect.platform) clients rely on:\(list)")
        }
        guard case .answer = validation, findings.contains(where: { $0.severity == .error }) else { return nil }
        let list = findings.map(\.details).joined(separator: "\n\n")
        return .text(
            "This document breaks rules that \(dialect.platform) clients rely on.\n\n\(list)\n",
            status: .internalServerError
        )
    }
}
