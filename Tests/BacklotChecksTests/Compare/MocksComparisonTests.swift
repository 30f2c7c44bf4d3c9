import Backlot
import BacklotChecks
import BacklotClients
import Testing

@testable import BacklotMocks

/// The mocks of the repository, compared with a backend that has drifted away from them.
@Suite(.timeLimit(.minutes(5))) struct MocksComparisonTests {
    private static let widgets = "/page/widget/widgets"
    private static let home = "/page/widget/widget/widgets"

    static let seeds: [SeededChange] = [
        // Applin.
        SeededChange("page-gone", "GET /books/2") { $0 = .text("There is no such book.", status: .notFound) },
        SeededChange("widget-removed", "GET /", at: "\(home)/2") { try $0.remove(at: 2, of: home) },
        SeededChange("widget-added", "GET /books/1", at: "\(widgets)/1") {
            try $0.insert(["typ": "text", "text": "Signed by its author."], at: 1, of: widgets)
        },
        SeededChange("widget-changed", "GET /", at: "\(home)/7") { try $0.edit("\(home)/7/typ") { _ in "nav_button" } },
        SeededChange("action-added", "GET /", at: "\(home)/1/actions/0") {
            try $0.insert(["typ": "poll"], at: 0, of: "\(home)/1/actions")
        },
        SeededChange("action-removed", "GET /log_in", at: "\(widgets)/1/actions/1") {
            try $0.remove(at: 1, of: "\(widgets)/1/actions")
        },
        SeededChange("action-changed", "GET /", at: "\(home)/5/actions/0") {
            try $0.edit("\(home)/5/actions/0/typ") { _ in "replace_all" }
        },
        SeededChange("target-changed", "GET /", at: "\(home)/1/actions/0/page") {
            try $0.edit("\(home)/1/actions/0/page") { _ in "/catalogue" }
        },
        SeededChange("key-removed", "GET /search", at: "\(widgets)/0/poll_delay_ms") {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in nil }
        },
        SeededChange("key-added", "GET /search", at: "\(widgets)/0/max_chars") {
            try $0.edit("\(widgets)/0/max_chars") { _ in 20 }
        },
        SeededChange("type-changed", "GET /search", at: "\(widgets)/0/poll_delay_ms") {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in "300" }
        },
        SeededChange("variable-added", "GET /log_in", at: "\(widgets)/1") {
            try $0.insert(["typ": "checkbox", "var_name": "agree", "text": "I agree"], at: 1, of: widgets)
        },
        SeededChange("variable-required", "GET /search", at: "\(widgets)/0/min_chars") {
            try $0.edit("\(widgets)/0/min_chars") { _ in 3 }
        },
        SeededChange("variable-changed", "GET /log_in", at: "\(widgets)/0/var_name") {
            try $0.edit("\(widgets)/0/var_name") { _ in "login" }
        },
        SeededChange("number-out-of-range", "GET /search", at: "\(widgets)/0/poll_delay_ms", "is a rule that is broken")
        {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in -1 }
        },
        SeededChange("content-type-changed", "GET /books/1") { $0.headers[.contentType] = "application/json" },
        SeededChange("status-changed", "POST /books/return", rpc: true, "of an rpc") {
            $0 = .text("Say in which state it is.", status: .unprocessableContent)
        },
        SeededChange("status-changed", "GET /books", "to a redirect to itself") {
            $0 = Response(status: .found, headers: [.location: "/books"])
        },
        SeededChange("not-json", "GET /books/2") { $0.body = .bytes(Array("<html>".utf8)) },
        SeededChange("cookie-removed", "POST /account/log_in", rpc: true, consequence: "status-changed GET /card ") {
            $0.headers[.setCookie] = nil
        },
        SeededChange("cookie-added", "GET /books/2") {
            $0.headers.append(HTTPField(name: .setCookie, value: "theme=dark; Path=/"))
        },
        // Plain JSON.
        SeededChange("type-changed", "GET /api/goods", at: "/0/price", "in rows") {
            for row in 0..<3 { try $0.edit("/\(row)/price") { _ in "7.90" } }
        },
        SeededChange("key-removed", "GET /api/goods", at: "/0/name", "in rows") {
            for row in 0..<3 { try $0.edit("/\(row)/name") { _ in nil } }
        },
        // Xpedite.
        SeededChange("component-removed", "POST /desk setConnection", at: "/components/1") {
            try $0.remove(at: 1, of: "/components")
        },
        SeededChange("variable-added", "POST /desk setConnection", at: "/components/2/components/2", "to a form") {
            try $0.insert(["type": "checkbox", "name": "stay", "text": "Stay"], at: 2, of: "/components/2/components")
        },
        SeededChange("return-code-changed", "POST /desk openingHours", at: "/rc") { try $0.edit("/rc") { _ in 17 } },
        // Floki.
        SeededChange("tab-removed", "GET /news/v1-appdata", at: "/tabs/1") { try $0.remove(at: 1, of: "/tabs") },
        SeededChange("view-controller-changed", "GET /news/v1-appdata", at: "/tabs/1/data") {
            try $0.edit("/tabs/1/class_type") { _ in "Movie_view_controller" }
        },
        // Dynamic Views.
        SeededChange("widget-removed", "GET /views/visit.json", at: "/widgets/0", "from a view") {
            try $0.remove(at: 0, of: "/widgets")
        },
        SeededChange("key-removed", "GET /views/visit.json", at: "/configuration/style", "from a view") {
            try $0.edit("/configuration/style") { _ in nil }
        },
    ]

    @Test(arguments: seeds)
    func `A comparison finds each change of the backend`(seed: SeededChange) async throws {
        let report = try await ChangedBackend(seed).report(rpc: seed.isRPC)
        let found = report.differences.map { drift in
            "\(drift.finding.rule) \(drift.finding.path.page.prefix { $0 != "?" }) \(drift.finding.path.pointer)"
        }
        let expected = ["\(seed.rule) \(seed.request) \(seed.pointer)"] + [seed.consequence].compactMap(\.self)
        #expect(Set(found) == Set(expected), "\(report)")
    }

    @Test(arguments: [false, true], [1, 2, 3])
    func `A comparison of an unchanged backend is clean`(rpc: Bool, run: Int) async throws {
        let report = try await ChangedBackend().report(rpc: rpc)
        #expect(report.isClean && !report.isCutShort, "\(report)")
        #expect(report.compared >= (rpc ? 50 : 35), "\(report)")
    }

    @Test func `A comparison that the time ends is cut short`() async throws {
        let report = try await ChangedBackend().report { $0.maximumTime = .zero }
        #expect(report.isCutShort && report.compared == 0, "\(report)")
        #expect(report.notes == ["Stopped: the time was over."])
        #expect(report.unverified.contains { $0.reason == "the time was over" }, "\(report)")
        let junit = report.text(as: .junit)
        #expect(junit.contains(#"<testsuite name="mocks verify" tests="1" failures="0" errors="1">"#), "\(junit)")
        #expect(junit.contains(#"name="completion"><error type="cut-short" message="The tool stopped"#), "\(junit)")
    }
}
