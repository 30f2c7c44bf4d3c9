import Testing

@testable import Backlot

struct PathPatternTests {
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
    ])
    func `A malformed path is refused with the reason`(path: String, reason: String) {
        #expect(throws: PathPattern.Mistake(text: reason)) { try PathPattern(path) }
    }

    @Test func `Names are in the order of the path`() throws {
        #expect(try PathPattern("/{a}/x/{b}/{c...}").names == ["a", "b", "c"])
    }
}
