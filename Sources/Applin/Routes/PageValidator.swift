import Backlot
import Logging
import Synchronization

/// Judges the answers of one page before they go out.
final class PageValidator: Sendable {
    private let inspector: ApplinInspector
    private let validation: PageValidation
    private let basePath: String
    private let lookup: RouteLookup
    /// Whether findings of this page have been logged.
    private let isLogged = Atomic(false)

    init(_ app: ApplinApp, isExempt: Bool) {
        inspector = ApplinInspector(dialect: app.dialect)
        validation = isExempt ? .off : app.validation.resolved
        basePath = app.basePath
        lookup = app.lookup
    }

    /// Judges the body of an answer.
    ///
    /// - Returns: what to answer instead; nil when the page may go out.
    func judge(_ body: [UInt8], for request: Request) -> Response? {
        switch validation {
        case .off: return nil
        case .log where isLogged.load(ordering: .relaxed): return nil
        case .answer where request.isCheck: return nil
        case .answer, .log, .automatic: break
        }
        let path = "/" + request.path.dropFirst(basePath.count)
        let findings = inspector.findings(inBody: body, path: path, app: lookup)
        if !isLogged.exchange(true, ordering: .relaxed), !findings.isEmpty {
            let list = findings.map { "\n\($0.details)" }.joined()
            Logger(label: "backlot.applin").warning("\(request.path) breaks rules that clients rely on:\(list)")
        }
        guard case .answer = validation, findings.contains(where: { $0.severity == .error }) else { return nil }
        let list = findings.map(\.details).joined(separator: "\n\n")
        return .text("This page breaks rules that clients rely on.\n\n\(list)\n", status: .internalServerError)
    }
}
