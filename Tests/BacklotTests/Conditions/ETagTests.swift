import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct ETagTests {
    @Test(arguments: [
        ("\"x\"", "x", false), ("W/\"x\"", "x", true), ("\"\"", "", false), ("\"a,b\"", "a,b", false),
        ("\"W/\"", "W/", false), ("\"a\\b\"", "a\\b", false), ("\"!#~é\"", "!#~é", false), ("\"*\"", "*", false),
    ])
    func `Tags are read and written`(text: String, value: String, isWeak: Bool) throws {
        let tag = try #require(ETag(parsing: text))
        #expect(tag.value == value)
        #expect(tag.isWeak == isWeak)
        #expect(tag == ETag(value, isWeak: isWeak))
        #expect(tag.description == text)
    }

    @Test(arguments: [
        "", "x", "\"", "\"x", "x\"", "w/\"x\"", "W\"x\"", "W/x", "W/ \"x\"", "\"x\" ", " \"x\"", "\"a b\"", "\"a\"b\"",
        "\"a\tb\"", "\"a\u{7F}\"", "\"a\", \"b\"", "*", "'x'",
    ])
    func `What is no tag is refused`(text: String) { #expect(ETag(parsing: text) == nil) }

    /// The table of RFC 9110, section 8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false),
    ])
    func `Comparison is strong or weak`(first: String, second: String, strong: Bool, weak: Bool) throws {
        let (first, second) = try (#require(ETag(parsing: first)), #require(ETag(parsing: second)))
        #expect(first.stronglyMatches(second) == strong)
        #expect(second.stronglyMatches(first) == strong)
        #expect(first.weaklyMatches(second) == weak)
        #expect(second.weaklyMatches(first) == weak)
    }

    @Test(arguments: [
        ("\"a\"", ["\"a\""]), ("\"a\", W/\"b\"", ["\"a\"", "W/\"b\""]), ("\"a\",\"b\"", ["\"a\"", "\"b\""]),
        (" ,, \"a\" ,\t, \"b\" , ", ["\"a\"", "\"b\""]), ("\"a,b\", \"c\"", ["\"a,b\"", "\"c\""]),
        // From the first member on that can't be read, nothing is.
        ("\"a\", b, \"c\"", ["\"a\""]), ("\"a\" \"b\"", ["\"a\""]), ("a", []), ("", []), ("\"a\", *", ["\"a\""]),
        ("*, \"a\"", []),
    ])
    func `Lists of tags are read`(field: String, tags: [String]) {
        #expect(ETagCondition(field) == .tags(tags.compactMap { ETag(parsing: $0) }))
    }

    @Test(arguments: ["*", " *"])
    func `A star is any tag`(field: String) {
        #expect(ETagCondition(field) == .any)
        #expect(ETagCondition(field).stronglyMatches(nil))
        #expect(ETagCondition(field).weaklyMatches(ETag("x", isWeak: true)))
    }
}
