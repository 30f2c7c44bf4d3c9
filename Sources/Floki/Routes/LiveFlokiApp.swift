public import Backlot
import Logging

/// A mounted Floki app, to declare it anew while it is served.
///
/// ```swift
/// let live = router.floki("/floki") { app in
///     app.language("en", ["about": "About"])
///     app.tab(1, "about", webViewController(app.page("about") { _ in "<h1>News</h1>" }))
/// }
/// try await live.update { app in  // later: other tabs, texts, languages or sections
///     app.language("en", ["about": "About us"])
///     app.tab(1, "about", webViewController(app.page("about") { _ in "<h1>News</h1>" }))
/// }
/// ```
public struct LiveFlokiApp: Sendable {
    /// nil for an app with mistakes, which isn't mounted.
    let app: LiveApp?

    /// Declares the app anew: its languages, texts, tabs, feeds with their sections, and pages. Requests get the new declaration as
    /// soon as this returns. The version rises only if the content differs.
    ///
    /// Feeds and pages must be among those that the app was mounted with. Requests for feeds and pages that you leave out get a 404.
    ///
    /// - Parameter register: adds the whole app, not only its changes.
    /// - Returns: warnings about content that clients may not show as intended, such as stored entries outside of the new sections.
    /// - Throws: ``FlokiAppError`` for mistakes; ``RecordError`` and the errors of the store, when the version can't be stored. The
    ///   app doesn't change then.
    @discardableResult
    public func update(
        file: String = #fileID,
        line: Int = #line,
        _ register: (FlokiApp) -> Void
    ) async throws -> [Finding] {
        guard let app else {
            throw FlokiAppError(["it was not mounted, because of the mistakes that router.handler() lists"])
        }
        var problems: [String] = []
        let declared = FlokiApp { problems.append("\($1): \($0)") }
        register(declared)
        let declaration = declared.declaration
        let former = app.declaration
        let draft: AppAssembly.Draft
        do {
            draft = try app.assembly.draft(declaration, earlier: app.numbers)
        } catch {
            throw FlokiAppError(problems + ["\(CodeLocation(file: file, line: line)): \(error)"])
        }
        let mistakes = app.assembly.mistakes(draft) + declaration.additions(to: app.mounted)
        problems += mistakes.map { "\($0.source): \($0.text)" }
        guard problems.isEmpty else { throw FlokiAppError(problems) }
        let sections = Dictionary(
            former.feeds.map { ($0.name, $0.sectionIDs) },
            uniquingKeysWith: { first, _ in first }
        )
        try await app.update(draft)
        var findings = app.assembly.warnings(draft)
        for feed in draft.feeds {
            let outside = app.outsideEntries(feed, codes: draft.texts.codes)
            do {
                findings += try await outside.findings(former: sections[feed.name])
            } catch {
                findings.append(outside.unknown(error))
            }
        }
        return findings
    }
}

/// The error for an app with mistakes in its new declaration. The app doesn't change.
public struct FlokiAppError: Error, Equatable, CustomStringConvertible {
    /// The mistakes, each with its location.
    public let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    /// All mistakes, one per line.
    public var description: String {
        let count = problems.count == 1 ? "a mistake" : "\(problems.count) mistakes"
        return "the app wasn't changed, because of \(count):\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
