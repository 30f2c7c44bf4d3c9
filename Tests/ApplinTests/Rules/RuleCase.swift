import Applin
import Backlot
import BacklotJSON
import Testing

/// A page with a mistake, the same page without it, and what is found on the first.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let name: String
    let dialects: [Dialect]
    let paths: (bad: String, good: String)
    let app: RouteLookup?
    let baseURL: String?
    let bad: String
    let good: String
    let finding: String

    init(
        _ name: String,
        _ dialect: Dialect? = nil,
        paths: (bad: String, good: String) = ("/p", "/p"),
        app: [String: [HTTPRequest.Method]]? = nil,
        baseURL: String? = nil,
        bad: String,
        good: String,
        finding: String
    ) {
        self.name = name
        dialects = dialect.map { [$0] } ?? Dialect.allCases
        self.paths = paths
        self.app = app.map { methods in RouteLookup { methods[$0] ?? [] } }
        self.baseURL = baseURL
        self.bad = bad
        self.good = good
        self.finding = finding
    }

    var testDescription: String { name }

    /// Expects the one finding on the bad page, to the letter, and none on the good page.
    func check() throws {
        for dialect in dialects {
            #expect(try findings(bad, paths.bad, dialect).map(\.details) == [finding], "\(dialect)")
            #expect(try findings(good, paths.good, dialect) == [], "\(dialect)")
        }
    }

    private func findings(_ page: String, _ path: String, _ dialect: Dialect) throws -> [Finding] {
        let document: JSONValue = ["page": try JSONValue(parsing: page)]
        return ApplinRules.findings(inPage: document, path: path, dialect: dialect, app: app, baseURL: baseURL)
    }
}
