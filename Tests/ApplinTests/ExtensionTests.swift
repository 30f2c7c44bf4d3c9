import Backlot
import Testing

@testable import Applin

/// Widgets and actions of an app's own clients.
@Suite(.timeLimit(.minutes(5))) struct ExtensionTests {
    private struct StarRating: Widget {
        let name: String
        var stars = 3
        var typ: StaticString { "star_rating" }

        func encode(into writer: inout JSONWriter) {
            writer.object {
                $0.field("typ", "star_rating")
                $0.field("var_name", name)
                $0.field("stars", stars)
            }
        }
    }

    private struct Share: Action {
        let text: String
        var typ: StaticString { "share" }
        var argument: String? { text }
        func encodeFields(into writer: inout JSONWriter) { writer.field("text", text) }
    }

    private static let extensions: [ApplinExtension] = [
        .widget("star_rating", keys: [.required("var_name", .string), .optional("stars", .wholeNumber(0...5))]),
        .widget("card", keys: [.optional("widgets", .widgets), .optional("actions", .actions)]),
        .action("share", argument: "text", keys: [.required("text", .string)]),
    ]

    private static func router(_ dialect: Dialect, _ extensions: [ApplinExtension], stars: Int = 3) -> Router {
        let router = Router()
        router.applin("/", dialect: dialect, extensions: extensions) { app in
            app.page("/") { _ in
                navPage("Tea") {
                    form {
                        StarRating(name: "rating", stars: stars)
                        button("Tell") { Share(text: "Good tea") }
                    }
                }
            }
        }
        return router
    }

    @Test(arguments: Dialect.allCases)
    func `Without their declaration they are unknown, and with it no findings`(dialect: Dialect) async {
        let unknown = await Self.router(dialect, []).check().pages.flatMap(\.findings).map(\.rule)
        #expect(Set(unknown).isSuperset(of: ["unknown-typ", "unknown-action"]))
        let known = await Self.router(dialect, Self.extensions).check()
        #expect(known.pages.flatMap(\.findings).map(\.rule) == [], "\(known)")
    }

    @Test func `A value that their declaration doesn't allow is a finding`() async throws {
        let report = await Self.router(.objects, Self.extensions, stars: 6).check()
        let finding = try #require(report.pages.first?.findings.first)
        #expect(
            finding.message.contains(#""stars" is 6, but must be a whole number from 0 to 5"#),
            "\(finding.message)"
        )
    }

    @Test func `Words inside them are judged, and names are suggested`() {
        let page: JSONValue = [
            "page": [
                "typ": "nav_page", "title": "a",
                "widget": ["typ": "card", "widgets": [["typ": "star_ratin", "var_name": "a"], ["typ": "text"]]],
            ]
        ]
        let findings = ApplinInspector(dialect: .objects, extensions: Self.extensions).findings(
            in: page,
            path: "/",
            app: nil
        )
        #expect(findings.map(\.rule) == ["unknown-typ", "missing-key"])
        #expect(findings.first?.fix == #"Write "star_rating", if that is what you mean."#)
    }

    @Test func `The schema for editors has them`() throws {
        let app = try #require(Self.router(.objects, Self.extensions).apps().first)
        let schema = try #require(app.schema)
        #expect(schema.description.contains("star_rating"))
        #expect(app.facts["actions"] == "share")
        #expect(app.facts["widgets"] == "star_rating,card")
    }

    @Test(
        arguments: [
            (
                [.widget("Star")],
                "the name of the widget \"Star\" has other characters than a to z, 0 to 9 and _: write it as in star_rating"
            ),
            ([.widget("text")], "there is a widget \"text\" in Applin already: give yours another name"),
            ([.action("push")], "there is an action \"push\" in Applin already: give yours another name"),
            (
                [.widget("a", keys: [.required("typ", .string)])],
                "the widget \"a\" has a key \"typ\": give the key another name"
            ),
            (
                [.widget("a", keys: [.required("b", .string), .optional("b", .any)])],
                "the widget \"a\" has the key \"b\" twice: remove one of the two"
            ),
            (
                [.action("a", argument: "b")],
                "the action \"a\" has no key \"b\", which its argument names: add the key"
            ),
            ([.widget("a"), .widget("a")], "the extension \"a\" is declared twice: remove one"),
        ] as [([ApplinExtension], String)]
    )
    func `Mistakes in their declarations keep the server from starting`(extensions: [ApplinExtension], problem: String)
    {
        let router = Router()
        router.applin("/", extensions: extensions) { _ in }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(problem), "\(text)")
    }
}
