import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct FilePathTests {
    @Test(arguments: [
        ("/a", "", "a", false), ("/a.txt", "", "a.txt", false), ("/a/b/c.txt", "", "a/b/c.txt", false),
        ("/a/", "", "a", true),
        ("/a/b/", "", "a/b", true), ("/", "", "", true), ("", "", "", false),
        ("/static/a", "/static", "a", false), ("/static/", "/static", "", true), ("/static", "/static", "", false),
        ("/a/b/c", "/a/b", "c", false),
        ("/%61.txt", "", "a.txt", false), ("/a%20b", "", "a b", false), ("/%C3%A9", "", "é", false),
        ("/é", "", "é", false),
        ("/a%25b", "", "a%b", false), ("/%252e%252e", "", "%2e%2e", false), ("/%73tatic/a", "/static", "a", false),
        ("/a.", "", "a.", false), ("/a..", "", "a..", false), ("/a.b.c", "", "a.b.c", false), ("/~a", "", "~a", false),
        ("/a:b", "", "a:b", false), ("/a;b", "", "a;b", false), ("/a+b", "", "a+b", false),
    ])
    func `Plain names are a way`(path: String, prefix: String, name: String, meansFolder: Bool) throws {
        let read = try #require(FilePath(path, below: prefix))
        #expect(read.name == name)
        #expect(read.meansFolder == meansFolder)
    }

    @Test(arguments: [
        // Up, in every writing.
        "/..", "/../a", "/a/..", "/a/../b", "/a/../../b", "/%2e%2e/a", "/%2E%2E/a", "/.%2e/a", "/%2e./a", "/a/%2e%2e",
        "/..%2fa", "/..%2Fa", "/%2e%2e%2fa", "/a%2f..%2f..%2fb", "/..%5ca", "/..%5Ca", "/a%5c..%5cb",
        // Where it is.
        "/.", "/./a", "/a/.", "/a/./b", "/%2e/a",
        // Hidden.
        "/.env", "/.git/config", "/a/.hidden", "/%2eenv", "/a/%2Egit/b", "/...", "/..a",
        // Names without a character.
        "//", "//a", "/a//b", "/a//", "///",
        // A slash, or what others take for one, or an end, in a name.
        "/a%2fb", "/a%2Fb", "/%2fa", "/%2Fetc/passwd", "/a%5cb", "/%5c", "/a%00", "/a%00.txt", "/%00", "/a/%00/b",
        // Not encoded as it must be.
        "/%", "/%2", "/%zz", "/a%", "/%+1", "/%C3", "/%FF", "/%C0%AE%C0%AE/a", "/%C0%AFa", "/%E0%80%AE", "/%ED%A0%80",
        "/%F8%80%80%80%AE", "/%C1%9C",
        // No path.
        "*", "a", "a/b",
    ])
    func `Nothing else is`(path: String) { #expect(FilePath(path, below: "") == nil) }

    @Test(arguments: [
        "/", "/a", "/stati", "/staticx", "/staticx/a", "/Static/a", "/static%2fa", "/static//a", "/static//",
        "/static/.a",
        "/static/../a",
        "/x/static/a", "//static/a",
    ])
    func `What isn't below the prefix isn't either`(path: String) {
        #expect(FilePath(path, below: "/static") == nil)
    }

    /// Two texts that are equal for Swift, and different for a file system.
    @Test func `Bytes are compared, not characters`() {
        #expect(FilePath("/e\u{301}/a", below: "/\u{E9}") == nil)
        #expect(FilePath("/\u{E9}/a", below: "/\u{E9}")?.name == "a")
    }

    @Test(arguments: [
        ("index.html", true), ("a b", true), ("", false), (".a", false), ("..", false), ("a/b", false), ("a\\b", false),
    ])
    func `A name is plain or not`(name: String, isPlain: Bool) {
        #expect(FilePath.isPlainName(name) == isPlain)
    }
}
