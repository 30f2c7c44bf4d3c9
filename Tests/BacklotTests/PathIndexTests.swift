import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct PathIndexTests {
    @Test func `Each path has the number of its position`() {
        var index = PathIndex()
        #expect(index.number(of: "/".utf8.span) == nil)
        let paths = ["/", "", "/new_account", "/new_accounts", "/a/b", "/a", "/ä%2F"]
        for (number, path) in paths.enumerated() { #expect(index.add(path) == number) }
        for (number, path) in paths.enumerated() { #expect(index.number(of: path.utf8.span) == number) }
        for other in ["/new_accoun", "/new_account/", "/A", "/b", "/a/", "//"] {
            #expect(index.number(of: other.utf8.span) == nil, "\(other)")
        }
    }

    /// The table grows many times, and paths whose hashes name the same place stand beside each other.
    @Test func `10,000 paths are found, and others aren't`() {
        var index = PathIndex()
        for number in 0..<10_000 { _ = index.add("/route/\(number)") }
        let wrong = (0..<10_000).filter { (number: Int) in index.number(of: "/route/\(number)".utf8.span) != number }
        #expect(wrong.isEmpty)
        let found = (10_000..<20_000).filter { (number: Int) in index.number(of: "/route/\(number)".utf8.span) != nil }
        #expect(found.isEmpty)
    }
}
