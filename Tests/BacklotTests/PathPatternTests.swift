import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct PathPatternTests {
    @Test(
        arguments: [
            ("/", [.literal("")]),
            ("/users", [.literal("users")]),
            ("/users/", [.literal("users"), .literal("")]),
            ("/users/{id}/edit", [.literal("users"), .parameter("id"), .literal("edit")]),
            ("/files/{path...}", [.literal("files"), .rest("path")]),
            ("/{a}/{b}", [.parameter("a"), .parameter("b")]),
        ] as [(String, [PathPattern.Segment])]
    )
    func `A path is cut into segments`(path: String, segments: [PathPattern.Segment]) throws {
        #expect(try PathPattern(path).segments == segments)
    }

    @Test(arguments: [
        ("", "a path begins with /"),
        ("users", "a path begins with /"),
        ("/a?b", "a path is written without ?, # and percent-encoding"),
        ("/a%20b", "a path is written without ?, # and percent-encoding"),
        ("/a{id}", "a parameter takes up a whole segment, as in /users/{id}"),
        ("/{id", "a parameter takes up a whole segment, as in /users/{id}"),
        ("/{}", "a parameter's name is letters, digits and _"),
        ("/{a b}", "a parameter's name is letters, digits and _"),
        ("/{a}/{a}", "two parameters are named a"),
        ("/{a}/{a...}", "two parameters are named a"),
        ("/{a...}/b", "{name...} is the last segment of a path"),
        ("/c/:id", "write {id} for a parameter, not :id"),
        ("/wild/*", "write {id} for one segment, or {rest...} for the rest of the path, not *"),
        ("/wild/**", "write {id} for one segment, or {rest...} for the rest of the path, not **"),
    ])
    func `A malformed path is refused with the reason`(path: String, reason: String) {
        #expect(throws: PathPattern.ParsingError(text: reason)) { try PathPattern(path) }
    }

    @Test func `Names are in the order of the path`() throws {
        #expect(try PathPattern("/{a}/x/{b}/{c...}").segments.map(\.name) == ["a", nil, "b", "c"])
    }

    @Test(
        arguments: [
            ("/", []),
            ("/users/", [.literal("users")]),
            ("/a%20b/%2F/{id}", [.literal("a b"), .literal("/"), .parameter("id")]),
            ("/{a b}/{c...}", [.parameter("a b"), .parameter("c...")]),
        ] as [(String, [PathPattern.Segment])]
    )
    func `A mock's path is percent-encoded`(path: String, segments: [PathPattern.Segment]) throws {
        let pattern = try PathPattern(path, as: .mock)
        #expect(pattern.segments == segments)
        #expect(pattern.text == path)
    }

    @Test(arguments: ["", "users", "/a{id}", "/{id", "/{", "/{}", "/{a}/{a}", "/{a{b}}"])
    func `A malformed path of a mock is refused`(path: String) {
        #expect(throws: PathPattern.ParsingError.self) { try PathPattern(path, as: .mock) }
    }

    @Test(arguments: [
        ("/{a}/x/{b...}", "/1/x/2/3", true), ("/{a}/x/{b...}", "/1/x/", false), ("/{a}/x/{b...}", "/1/x", false),
        ("/{a}", "/", false), ("/{a}", "/1/", false), ("/", "/", true), ("/a", "/a%2F", false),
    ])
    func `One pattern matches as a tree does`(pattern: String, path: String, isMatch: Bool) throws {
        let pattern = try PathPattern(pattern)
        let segments = try #require(PathSegments.of(path))
        var tree = PathPatternTree<Int>()
        tree.change(pattern) { $0 = [1] }
        #expect(pattern.matches(segments) == isMatch)
        #expect(tree.first(at: segments) == (isMatch ? [1] : nil))
    }
}
