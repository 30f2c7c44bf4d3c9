import TestSupport
import Testing

@testable import Backlot

/// Regular expressions from outside: what they match, what is refused, and that each match ends.
@Suite(.timeLimit(.minutes(5))) struct PatternTests {
    private static func outcome(_ pattern: String, _ text: String) throws -> PCRERegex.Outcome {
        var time = PCRERegex.time(forBytes: text.utf8.count)
        return try PCRERegex(pattern).match(whole: text, within: &time)
    }

    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "a", true), ("a", "ab", false), ("a", "ba", false),
        ("a|ab", "ab", true), ("a.c", "a\nc", true), ("a.c", "a\r\nc", false), ("a.*c", "a\r\nc", true),
        ("(?=.*b)(?!.*z)[a-z]+", "abc", true), ("(?=.*b)(?!.*z)[a-z]+", "abz", false),
        ("a(?<=a)b(?<!c)", "ab", true), ("(?i)ÄB", "äb", true), ("(?u)a", "a", true), ("(?iu:A)b", "ab", true),
        ("(a+)\\1", "aaaa", true), ("(?<x>a)\\k<x>", "aa", true), ("a++b", "aab", true), ("(?>a+)ab", "aab", false),
        (#"\Qa.b\E\Q(\E"#, "a.b(", true), (#"\Q\p{Alpha}"#, #"\p{Alpha}"#, true),
        (#"\u00e4\u20AC"#, "ä€", true), (#"[\u0061-\u0063]+"#, "abc", true), (#"\uD83D\uDE00"#, "😀", true),
        (#"\x{1F600}\x41"#, "😀A", true), (#"\0101\07"#, "A\u{7}", true), (#"\0777"#, "?7", true),
        (#"\p{Alpha}+\p{Digit}"#, "ab1", true), (#"\p{Alpha}"#, "ä", false), (#"[\p{Alpha}_]+"#, "a_", true),
        (#"\P{Punct}"#, "!", false), (#"[\P{Punct}]"#, "a", true), (#"\p{L}\p{IsLatin}\p{IsAlphabetic}"#, "äöü", true),
        (#"\p{Lu}\pL"#, "Äö", true), (#"\w"#, "ä", false), (#"\d"#, "٣", false), (#"[]a]+"#, "]a", true),
        (#"[^]a]"#, "b", true), (#"[\[&]+"#, "[&", true), (#"[a&]+"#, "a&", true), (".", "😀", true),
        (".{2}", "e\u{301}", true),
        ("[[:alpha:]]", "x", true), (#"\R"#, "\r\n", true), (#"\h\v"#, " \n", true), (#"a\Z"#, "a", true),
        ("^a$", "a", true),
        ("[a-z]+/(?:x|y)?", "abc/", true),
    ])
    func `The whole of a text matches, or doesn't`(pattern: String, text: String, matches: Bool) throws {
        #expect(try Self.outcome(pattern, text) == (matches ? .matches : .differs))
    }

    @Test(arguments: [
        ("(", "missing closing parenthesis, at character 2", false),
        ("ä)", "unmatched closing parenthesis, at character 2", false),
        ("[b-a]", "range out of order in character class, at character 4", false),
        ("ab{2,1}", "numbers out of order in {} quantifier, at character 7", false),
        (#"\u00e4\u00e4("#, "missing closing parenthesis, at character 14", false),
        (#"\p{javaLowerCase}"#, "unknown property after \\P or \\p, at character 18", true),
        ("(?<=a{1,2})b", "lookbehind assertion is not fixed length, at character 1", true),
        ("[a-z&&[^b]]", "'&&' between character classes is not known here, at character 5", true),
        (
            "[a[b]]",
            #"a character class within another (for the bracket itself, write \[) is not known here, at character 3"#,
            true
        ),
        ("ä(?iU)b", "the flag 'U' is not known here, at character 5", true),
        ("(?R)?a", "the flag 'R' is not known here, at character 3", true),
        ("(?d:a)", "the flag 'd' is not known here, at character 3", true),
        (#"a\u12"#, #"'\u' without four hexadecimal digits is not known here, at character 2"#, true),
        (#"\uD83Dx"#, #"half of a surrogate pair ('\uD83D') is not known here, at character 1"#, true),
        (#"\b{g}"#, #"'\b{' is not known here, at character 1"#, true),
        (#"\C"#, "using \\C is disabled by the application, at character 3", false),
        (String(repeating: "a", count: 16_385), "the pattern has more than 16384 bytes, at character 1", false),
        (String(repeating: "(", count: 300), "parentheses are too deeply nested, at character 252", false),
    ])
    func `What can't be read is named, with its place`(pattern: String, message: String, isUnknown: Bool) {
        let error = #expect(throws: PatternError.self) { try PCRERegex(pattern) }
        #expect(error?.description == message)
        #expect(error?.isUnknownHere == isUnknown)
    }

    /// A match has more time for a longer text, and ends soon after that time. On a busy machine it takes longer, so the bounds are wide.
    @Test(arguments: [
        ("(a+)+$", "", "a", 40, "!"),
        ("/rx/(a+)+$", "/rx/", "a", 40, "!"),
        ("(.*a){25}x", "", "a", 40, "xy"),
        ("((((a*)*)*)*)*b", "", "a", 40, "bc"),
        ("(?:[^\"]|\\\\\")*x", "", "a", 60_000, "x!"),
        (#".*\d+x"#, "", "1", 60_000, "x!"),
        (#".*.*.*\d{500,}x"#, "", "1", 3_000, "x!"),
        (".*(.*).*\\1x", "", "ab", 5_000, "x!"),
        ("(?:(?=(.*))a)*b", "", "a", 60_000, "bc"),
    ])
    func `Each match ends soon`(pattern: String, start: String, part: String, count: Int, end: String) throws {
        let text = start + String(repeating: part, count: count) + end
        let pattern = try PCRERegex(pattern)
        var time = Int64.max / 2
        let before = time
        let outcome = pattern.match(whole: text, within: &time)
        #expect(outcome != .matches)
        let patience = Int64(Patience.factor)
        #expect(before - time <= 5 * patience * PCRERegex.time(forBytes: text.utf8.count))
        // With hardly any time left, it ends sooner.
        time = 0
        #expect(pattern.match(whole: text, within: &time) != .matches)
        #expect(-time <= 25_000_000 * patience)
    }

    @Test(arguments: ["(a+)+", "(.*a){25}x", "((((a*)*)*)*)*b"])
    func `A match past its bound counts as none`(pattern: String) throws {
        let text = String(repeating: "a", count: 40)
        #expect(try Self.outcome(pattern, text + "xb!") == .givenUp)
    }

    @Test func `Little time is enough for a pattern that isn't dear`() throws {
        let pattern = try PCRERegex("/users/[0-9]+(/[a-z]+)*")
        var time: Int64 = -1_000_000_000
        #expect(pattern.match(whole: "/users/123/items/of/someone", within: &time) == .matches)
        #expect(time == -1_000_000_000)
    }

    /// Matches of one pattern at a time on many threads.
    @Test func `A pattern is shared by threads`() async throws {
        let pattern = try PCRERegex("(a|b)+c{2}")
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<16 {
                group.addTask {
                    (0..<200).allSatisfy { round in
                        let takes = (task + round) % 2 == 0
                        var time = PCRERegex.time(forBytes: 5)
                        return (pattern.match(whole: takes ? "abacc" : "abac", within: &time) == .matches) == takes
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test(arguments: [
        ("tags/([^?]+)", "http://x/tags/ä?a", "ä"), ("a(b)?", "ac", nil), ("a", "a", nil), ("(x)", "a", nil),
        ("(a)(b)(c)", "abc", "a"),
        ("(?<=/)([0-9]+)$", "/1/22", "22"), ("()a", "a", ""), ("(a+)+$", String(repeating: "a", count: 40) + "!", nil),
    ])
    func `The text of the first group is found`(pattern: String, text: String, captured: String?) throws {
        #expect(try PCRERegex(pattern).firstGroup(in: text) == captured)
    }

    /// Rooms for matches are used again.
    @Test func `Without groups nothing is left of what another pattern has captured`() throws {
        let (grouped, plain) = (try PCRERegex("(a)"), try PCRERegex("b"))
        for _ in 0..<100 {
            #expect(grouped.firstGroup(in: "bbbbbba") == "a")
            #expect(plain.firstGroup(in: "b") == nil)
        }
    }

    @Test(arguments: [
        ("a(b)", 1), ("(a)(b)", 2), ("(?:a)(b)", 1), ("\\(a\\)", 0), ("[(]a", 0), ("(?<name>a)", 1), ("(?=a)(?!b)", 0),
        ("(?<=a)(?<!b)", 0), ("\\Q(a)\\E(b)", 1), ("http://www.irekia.euskadi.net/.*tags/([^?]+)[?]type=News", 1),
        ("((a)b)", 2), ("(?i)a", 0),
    ])
    func `The groups of a pattern are counted`(pattern: String, count: Int) throws {
        #expect(try PCRERegex(pattern).groups == count)
    }

    /// A client can send any text as a pattern, and it must not stop the server.
    @Test func `Any text is read or refused`() throws {
        let pieces = [
            "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "\\Q", "\\E", "\\u00", "\\p{", "Is", "(?", "(?<",
            "a", "^", "-",
            ":", "&&", "0", "9", ",", "ä", "\0", "(*", "(?C1)", "\\0", "$", "\\", "x", "(?#", "\\k<", "U", "😀",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement() ?? "" }
                .joined()
            guard let pattern = try? PCRERegex(text) else { continue }
            var time: Int64 = 0
            _ = pattern.match(whole: "aä-:0" + text, within: &time)
        }
    }
}
