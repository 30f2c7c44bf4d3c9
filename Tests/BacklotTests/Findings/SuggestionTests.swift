import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("", "ab", 2), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `The distance counts edits between texts`(left: String, right: String, edits: Int) {
        #expect(EditDistance.between(Array(left.utf8), Array(right.utf8)) == edits)
    }

    @Test(arguments: [
        ("Create", "Create Account"), ("create account", "Create Account"), ("Creat Acount", "Create Account"),
        ("Log Out", "Log out"), ("Acount", nil), ("Account", "Account settings"), ("Trems", "Terms"),
        ("Create Account now", "Create Account"), ("elbow", nil), ("somebody", nil), ("ings", "Account settings"),
        ("", nil), ("x", nil),
    ])
    func `The nearest is what was perhaps meant`(text: String, nearest: String?) {
        let candidates = ["Terms", "Create Account", "Log out", "Account settings", ""]
        #expect(Suggestion.nearest(to: text, among: candidates) == nearest)
    }

    @Test func `A hint names the nearest`() {
        #expect(Suggestion.hint(for: "widht", among: ["height", "width"]) == "; did you mean 'width'?")
        #expect(Suggestion.hint(for: "zzz", among: ["height", "width"]) == "")
    }

    @Test(arguments: [
        ("short", "short"), ("a\u{1B}[2Jb", "a [2Jb"),
        (String(repeating: "x", count: 41), String(repeating: "x", count: 40) + "…"),
    ])
    func `An excerpt fits into a line`(text: String, excerpt: String) {
        #expect(text.excerpt == excerpt)
    }

    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (1.5, "the number 1.5"), ("a", "the string \"a\""), ([1], "an array"),
            ([:], "an object"),
        ] as [(JSONValue, String)]
    )
    func `A value is summed up in a few words`(value: JSONValue, summary: String) {
        #expect(value.summary == summary)
    }
}
