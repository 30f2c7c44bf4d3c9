import BacklotTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct LineDifferenceTests {
    @Test func `Equal texts don't differ, line breaks at their ends aside`() {
        #expect(LineDifference(from: "a\nb", to: "a\nb\n\n") == nil)
        #expect(LineDifference(from: "", to: "") == nil)
    }

    @Test(arguments: [
        ("a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"),
        ("a\nc", "a\nb\nc", "  a\n+ b\n  c"),
        ("a\nb\nc", "a\nc", "  a\n- b\n  c"),
        ("", "a", "+ a"),
        ("a", "", "- a"),
        ("a\nb\nc\nd", "b\nc\ne\nd", "- a\n  b\n  c\n+ e\n  d"),
        ("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\nsix", "  ⋮\n  3\n  4\n  5\n- 6\n+ six"),
        ("one\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\n6", "- one\n+ 1\n  2\n  3\n  4\n  ⋮"),
    ])
    func `Lines that differ are marked, and some around them shown`(old: String, new: String, text: String) throws {
        let difference = try #require(LineDifference(from: old, to: new))
        #expect(difference.description == text)
    }

    @Test func `Long texts are compared in bounded time`() throws {
        let old = (0..<100_000).map { "line \($0)" }.joined(separator: "\n")
        let new = (0..<100_000).map { "row \($0)" }.joined(separator: "\n")
        #expect(try #require(LineDifference(from: old, to: new)).changes.count < 5000)
    }
}
