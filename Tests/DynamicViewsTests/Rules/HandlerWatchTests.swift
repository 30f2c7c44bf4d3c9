import Backlot
import Testing

@testable import DynamicViews

/// `check` finds handlers that no widget of a document calls.
@Suite(.timeLimit(.minutes(5))) struct HandlerWatchTests {
    private func findings(
        _ dialects: [Dialect],
        _ document: @escaping @Sendable (Request) -> Document,
        _ handlers: (View) -> Void
    ) async -> [(path: String, finding: Finding)] {
        let router = Router()
        var configuration = DynamicViewsConfiguration()
        configuration.dialects = dialects
        router.dynamicViews("/views/", configuration: configuration) { views in
            handlers(views.view("v") { document($0) })
        }
        let report = await router.check()
        return report.pages.flatMap { page in page.findings.map { (page.path, $0) } }
    }

    @Sendable private static func view(_ request: Request) -> Document {
        document {
            button("b", id: "b")
            toggle("t", id: "t", key: "k")
            lastPurchases(projectId: "shop", id: "p")
            switch request.dialect.platform {
            case .ios: multiValue("m", id: "m") { option("a", id: "m.a") }
            case .android: switchEnvironment("e", id: "e") { option("a", id: "e.a") }
            }
        }
    }

    @Test(arguments: [[Dialect.ios, .android], [.android, .ios]])
    func `A handler counts when its widget is in one dialect's document`(dialects: [Dialect]) async {
        let findings = await findings(dialects, Self.view) { view in
            view.on(.tap, "b") { _, _ in }.on(.toggle, "t") { _, _ in }.on(.more, "p") { _, _ in }
                .on(.receipt, "p") { _, _ in }.on(.choice, "m") { _, _ in }.on(.choice, "e") { _, _ in }
                .onInteraction { _, _ in }
        }
        #expect(findings.map(\.finding) == [])
    }

    @Test func `A handler without its widget is named with its line`() async {
        let findings = await findings([.ios, .android], Self.view) { view in
            view.on(.tap, "gone", file: "App/Views.swift", line: 7) { _, _ in }
            view.on(.tap, "t", file: "App/Views.swift", line: 8) { _, _ in }
            view.on(.toggle, "p", file: "App/Views.swift", line: 9) { _, _ in }
        }
        #expect(findings.map(\.path) == Array(repeating: "/views/v.json?dialect=android", count: 3))
        #expect(findings.map(\.finding.rule) == Array(repeating: "handler-without-widget", count: 3))
        #expect(findings.map(\.finding.severity) == Array(repeating: .warning, count: 3))
        #expect(
            findings.map { "\($0.finding.message) \($0.finding.fix)" } == [
                "The handler of a tap of \"gone\" at App/Views.swift:7 is never called: no document of the view 'v' has that "
                    + "widget now. Correct the id, or put the handler at the widget itself, as in text(…).onTap { … }.",
                "The handler of a tap of \"t\" at App/Views.swift:8 is never called: the widget is a toggle, which has no "
                    + "such interactions. Write the handler of .toggle, or correct the id.",
                "The handler of a toggle of \"p\" at App/Views.swift:9 is never called: the widget is a "
                    + "snabble.lastPurchases, which has no such interactions. Write the handler of .receipt or .more, or "
                    + "correct the id.",
            ]
        )
    }

    @Test func `A second check finds the same, and broken or unchecked views are left to other rules`() async {
        let router = Router()
        router.dynamicViews("/views/") { views in
            views.view("v") { _ in document { button("b", id: "b") } }.on(.tap, "gone") { _, _ in }
            views.view("broken") { _ in document { image("b", id: "b") } }.on(.tap, "b") { _, _ in }
            views.view("unchecked", unchecked: "on purpose") { _ in document {} }.on(.tap, "gone") { _, _ in }
            views.view("fails") { _ in throw StatusError(.notFound, "no") }.on(.tap, "gone") { _, _ in }
        }
        for _ in 0..<2 {
            let pages = await router.check().pages
            #expect(
                pages.map { "\($0.path) \($0.findings.map(\.rule))" } == [
                    "/views/v.json?dialect=ios []", "/views/v.json?dialect=android [\"handler-without-widget\"]",
                    "/views/broken.json?dialect=ios []", "/views/broken.json?dialect=android []",
                    "/views/fails.json?dialect=ios [\"no-page\"]", "/views/fails.json?dialect=android [\"no-page\"]",
                ]
            )
        }
    }
}
