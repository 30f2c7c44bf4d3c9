import Backlot
import BacklotChecks
import BacklotClients
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

/// The mocks of the repository, compared with a backend that has drifted away from them.
@Suite(.timeLimit(.minutes(5))) struct DriftTests {
    private static let widgets = "/page/widget/widgets"
    private static let home = "/page/widget/widget/widgets"

    static let seeds: [DriftSeed] = [
        // Applin.
        DriftSeed("page-gone", "GET /books/2") { $0 = .text("There is no such book.", status: .notFound) },
        DriftSeed("widget-removed", "GET /", at: "\(home)/2") { try $0.remove(at: 2, of: home) },
        DriftSeed("widget-added", "GET /books/1", at: "\(widgets)/1") {
            try $0.insert(["typ": "text", "text": "Signed by its author."], at: 1, of: widgets)
        },
        DriftSeed("widget-changed", "GET /", at: "\(home)/7") { try $0.edit("\(home)/7/typ") { _ in "nav_button" } },
        DriftSeed("action-added", "GET /", at: "\(home)/1/actions/0") {
            try $0.insert(["typ": "poll"], at: 0, of: "\(home)/1/actions")
        },
        DriftSeed("action-removed", "GET /log_in", at: "\(widgets)/1/actions/1") {
            try $0.remove(at: 1, of: "\(widgets)/1/actions")
        },
        DriftSeed("action-changed", "GET /", at: "\(home)/5/actions/0") {
            try $0.edit("\(home)/5/actions/0/typ") { _ in "replace_all" }
        },
        DriftSeed("target-changed", "GET /", at: "\(home)/1/actions/0/page") {
            try $0.edit("\(home)/1/actions/0/page") { _ in "/catalogue" }
        },
        DriftSeed("key-removed", "GET /search", at: "\(widgets)/0/poll_delay_ms") {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in nil }
        },
        DriftSeed("key-added", "GET /search", at: "\(widgets)/0/max_chars") {
            try $0.edit("\(widgets)/0/max_chars") { _ in 20 }
        },
        DriftSeed("type-changed", "GET /search", at: "\(widgets)/0/poll_delay_ms") {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in "300" }
        },
        DriftSeed("variable-added", "GET /log_in", at: "\(widgets)/1") {
            try $0.insert(["typ": "checkbox", "var_name": "agree", "text": "I agree"], at: 1, of: widgets)
        },
        DriftSeed("variable-required", "GET /search", at: "\(widgets)/0/min_chars") {
            try $0.edit("\(widgets)/0/min_chars") { _ in 3 }
        },
        DriftSeed("variable-changed", "GET /log_in", at: "\(widgets)/0/var_name") {
            try $0.edit("\(widgets)/0/var_name") { _ in "login" }
        },
        DriftSeed("number-out-of-range", "GET /search", at: "\(widgets)/0/poll_delay_ms", "is a rule that is broken") {
            try $0.edit("\(widgets)/0/poll_delay_ms") { _ in -1 }
        },
        DriftSeed("content-type-changed", "GET /books/1") { $0.headers[.contentType] = "application/json" },
        DriftSeed("status-changed", "POST /books/return", rpc: true, "of an rpc") {
            $0 = .text("Say in which state it is.", status: .unprocessableContent)
        },
        DriftSeed("status-changed", "GET /books", "to a redirect to itself") {
            $0 = Response(status: .found, headers: [.location: "/books"])
        },
        DriftSeed("not-json", "GET /books/2") { $0.body = .bytes(Array("<html>".utf8)) },
        DriftSeed("cookie-removed", "POST /account/log_in", rpc: true, consequence: "status-changed GET /card ") {
            $0.headers[.setCookie] = nil
        },
        DriftSeed("cookie-added", "GET /books/2") {
            $0.headers.append(HTTPField(name: .setCookie, value: "theme=dark; Path=/"))
        },
        // Plain JSON.
        DriftSeed("type-changed", "GET /api/goods", at: "/0/price", "in rows") {
            for row in 0..<3 { try $0.edit("/\(row)/price") { _ in "7.90" } }
        },
        DriftSeed("key-removed", "GET /api/goods", at: "/0/name", "in rows") {
            for row in 0..<3 { try $0.edit("/\(row)/name") { _ in nil } }
        },
        // Xpedite.
        DriftSeed("component-removed", "POST /desk setConnection", at: "/components/1") {
            try $0.remove(at: 1, of: "/components")
        },
        DriftSeed("variable-added", "POST /desk setConnection", at: "/components/2/components/2", "to a form") {
            try $0.insert(["type": "checkbox", "name": "stay", "text": "Stay"], at: 2, of: "/components/2/components")
        },
        DriftSeed("return-code-changed", "POST /desk openingHours", at: "/rc") { try $0.edit("/rc") { _ in 17 } },
        // Floki.
        DriftSeed("tab-removed", "GET /news/v1-appdata", at: "/tabs/1") { try $0.remove(at: 1, of: "/tabs") },
        DriftSeed("view-controller-changed", "GET /news/v1-appdata", at: "/tabs/1/data") {
            try $0.edit("/tabs/1/class_type") { _ in "Movie_view_controller" }
        },
        // Dynamic Views.
        DriftSeed("widget-removed", "GET /views/visit.json", at: "/widgets/0", "from a view") {
            try $0.remove(at: 0, of: "/widgets")
        },
        DriftSeed("key-removed", "GET /views/visit.json", at: "/configuration/style", "from a view") {
            try $0.edit("/configuration/style") { _ in nil }
        },
    ]

    @Test(arguments: seeds)
    func findsWhatHasChanged(seed: DriftSeed) async throws {
        let report = try await DriftingBackend(seed).report(rpc: seed.isRPC)
        let found = report.drifts.map { drift in
            "\(drift.finding.rule) \(drift.request.prefix { $0 != "?" }) \(drift.finding.path.pointer)"
        }
        let expected = ["\(seed.rule) \(seed.request) \(seed.pointer)"] + [seed.consequence].compactMap(\.self)
        #expect(Set(found) == Set(expected), "\(report)")
    }

    @Test(arguments: [false, true], [1, 2, 3])
    func findsNothingWhereNothingHasChanged(rpc: Bool, run: Int) async throws {
        let report = try await DriftingBackend().report(rpc: rpc)
        #expect(report.isClean, "\(report)")
        #expect(report.compared >= (rpc ? 50 : 35), "\(report)")
    }
}
