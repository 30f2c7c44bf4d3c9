import Backlot
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct StubIndexTests {
    /// A set with a stub for each URL, whose name is the URL.
    private func make(_ urls: [(key: String, url: String)]) throws -> StubSet {
        let (backend, stubs) = (MockBackend(), StubSet())
        for (key, url) in urls {
            stubs.add(try backend.stub(json: ["name": .string(url), "request": [key: .string(url)]]))
        }
        return stubs
    }

    private func candidates(_ path: String, in stubs: StubSet) throws -> [String] {
        stubs.candidates(for: try MockRequest(.get, path)).compactMap(\.stub.name)
    }

    private static let literals = [
        ("urlPath", "/"), ("urlPath", "/a"), ("urlPath", "/a//"), ("urlPath", "/x%2Fy"), ("urlPath", "/x/y"),
        ("urlPath", "/%25"), ("url", "/q?b=1"),
    ]

    @Test(arguments: [
        ("/", ["/"]), ("/a", ["/a"]), ("/a/", ["/a"]), ("/a//", ["/a//"]), ("/%61", ["/a"]), ("/a///", []),
        ("/x%2Fy", ["/x%2Fy"]), ("/x/y", ["/x/y"]), ("/x/y/", ["/x/y"]), ("/%25", ["/%25"]), ("/q", ["/q?b=1"]),
        ("/b", []),
    ])
    func `A path has its stubs, with parameters elsewhere and without`(path: String, names: [String]) throws {
        #expect(try candidates(path, in: make(Self.literals)) == names)
        #expect(try candidates(path, in: make(Self.literals + [("urlPathTemplate", "/other/{id}/x")])) == names)
    }

    @Test(arguments: [
        ("/u/1", ["/u/{id}", "/u/1", "/.*"]), ("/u/2", ["/u/{id}", "/.*"]), ("/u/", ["/.*"]),
        ("/u/1/", ["/u/{id}", "/u/1", "/.*"]),
    ])
    func `What was added last is asked first, whatever its kind`(path: String, names: [String]) throws {
        let stubs = try make([("urlPattern", "/.*"), ("urlPath", "/u/1"), ("urlPathTemplate", "/u/{id}")])
        #expect(try candidates(path, in: stubs) == names)
    }

    @Test func `Removing many stubs leaves the others`() throws {
        let stubs = try make((0..<3000).map { ("urlPath", "/\($0)") } + [("urlPath", "/kept")])
        for stub in stubs.all where stub.name != "/kept" { stubs.remove(stub.id) }
        #expect(try candidates("/kept", in: stubs) == ["/kept"])
        #expect(try candidates("/1", in: stubs).isEmpty)
        stubs.removeAll()
        #expect(try candidates("/kept", in: stubs).isEmpty)
    }
}
