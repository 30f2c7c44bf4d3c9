import Testing

/// Comments begin with a noun or a verb: "The number of connections." instead of "How many connections there are."
@Suite(.timeLimit(.minutes(5))) struct PlainCommentTests {
    /// Whether a comment begins with a clause in place of a noun. A question is allowed.
    private static func isClause(_ comment: Substring) -> Bool {
        let text = comment.drop { $0 == " " }
        guard text.firstMatch(of: /^(?:What|Which|Who|Whose|Where|Why|How|Whoever|Whatever)\b/) != nil else {
            return false
        }
        return text.first { ".:?".contains($0) } != "?"
    }

    @Test(arguments: [
        (" How many connections there are.", true), (" The number of connections.", false), (" What it costs", true),
        (" How long? Read on.", false), (" Whatever comes", true), (" However", false),
    ])
    func `Clauses are found`(comment: String, isFound: Bool) {
        #expect(Self.isClause(comment[...]) == isFound)
    }

    @Test func `Comments begin with a noun or a verb`() throws {
        var count = 0
        for file in try Repository.swiftFiles(in: "Sources") {
            var isInside = false
            for (number, line) in try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                let text = line.drop { $0 == " " }
                let comment = text.hasPrefix("/// ") ? text.dropFirst(3) : nil
                defer { isInside = text.hasPrefix("///") }
                guard let comment, !isInside else { continue }
                count += 1
                if Self.isClause(comment) {
                    Issue.record("\(file):\(number + 1): begin with a noun, as in \"The number of …\":\(comment)")
                }
            }
        }
        #expect(count > 5000)
    }
}
