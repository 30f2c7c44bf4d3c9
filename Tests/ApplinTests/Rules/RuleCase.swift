import Applin
import Backlot
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

    /// The cases of a table, with an empty line between two. Each has its name, and in brackets its dialect if it is of one; the
    /// bad page after a minus, the good one after a plus, and the finding. A list of actions stands for a page with a button.
    static func cases(
        paths: (bad: String, good: String) = ("/p", "/p"),
        app: [String: [HTTPRequest.Method]]? = nil,
        baseURL: String? = nil,
        _ table: String
    ) -> [RuleCase] {
        let app = app.map { methods in RouteLookup { methods[$0] ?? [] } }
        return table.split(separator: "\n\n").map { rows in
            let parts = rows.split(separator: /\n(?=- |\+ |error: |warning: )/).map(String.init)
            let dialect = Dialect.allCases.first { parts[0].hasSuffix("[\($0)]") }
            return RuleCase(
                name: parts[0],
                dialects: dialect.map { [$0] } ?? Dialect.allCases,
                paths: paths,
                app: app,
                baseURL: baseURL,
                bad: String(parts[1].dropFirst(2)),
                good: String(parts[2].dropFirst(2)),
                finding: parts[3]
            )
        }
    }

    var testDescription: String { name }

    /// Expects the one finding on the bad page, to the letter, and none on the good page.
    func check() throws {
        for dialect in dialects {
            #expect(try findings(bad, paths.bad, dialect).map(\.details) == [expected(dialect)], "\(dialect)")
            #expect(try findings(good, paths.good, dialect) == [], "\(dialect)")
        }
    }

    /// Whether actions, which are written as objects, become texts: in cases of both dialects.
    private func isText(_ dialect: Dialect) -> Bool { dialects.count > 1 && dialect == .documented }

    /// All of an action that is a text is at one place.
    private func expected(_ dialect: Dialect) -> String {
        guard bad.hasPrefix("["), isText(dialect) else { return finding }
        return finding.replacing(/(at \/page\/widget\/actions\/\d+)\/\w+$/) { $0.1 }
    }

    private func findings(_ page: String, _ path: String, _ dialect: Dialect) throws -> [Finding] {
        var page = try JSONValue(parsing: page)
        if let actions = page.array {
            let list = actions.map { isText(dialect) ? $0.actionText : $0 }
            page = ["typ": "plain_page", "widget": ["typ": "button", "text": "Go", "actions": .array(list)]]
        }
        let document: JSONValue = ["page": page]
        return ApplinRules.findings(in: document, path: path, dialect: dialect, app: app, baseURL: baseURL)
    }
}

extension JSONValue {
    /// An action as clients of the documented dialect read it: its typ, a colon and its argument.
    fileprivate var actionText: JSONValue {
        guard let object else { return self }
        return .string(object.members.compactMap(\.value.string).joined(separator: ":"))
    }
}
