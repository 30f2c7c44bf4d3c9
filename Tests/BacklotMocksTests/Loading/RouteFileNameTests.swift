import Backlot
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct RouteFileNameTests {
    @Test(arguments: [
        ("home.page.json", "page", "/home"),
        ("index.page.json", "page", "/"),
        ("users/index.get.yaml", "get", "/users"),
        ("users/[id].get.json", "get", "/users/{id}"),
        ("users/[id]/edit.put.yml", "put", "/users/{id}/edit"),
        ("save.rpc.yaml", "rpc", "/save"),
        ("v1.2.get.json", "get", "/v1.2"),
        ("logo.get.png", "get", "/logo"),
        ("a b/c.delete.json", "delete", "/a b/c"),
    ])
    func `A name says path and kind`(file: String, kind: String, path: String) throws {
        let name = try #require(try RouteFileName(file))
        #expect(name.kind.rawValue == kind)
        #expect(name.path.text == path)
    }

    @Test(arguments: ["README.md", "notes.txt", "Makefile", "logo.png", "users/photo.jpeg"])
    func `Other files are none of its business`(file: String) throws {
        let name = try RouteFileName(file)
        #expect(name == nil)
    }

    @Test(arguments: [
        (
            "home.json",
            "the name says no kind; the kind stands before the ending: page, rpc, get, post, put, patch, delete, sse, ws or crud, as in home.page.json"
        ),
        (
            "home.pgae.json",
            "'pgae' isn't a kind of route; did you mean 'page'?; the kind stands before the ending: page, rpc, get, post, put, patch, delete, sse, ws or crud"
        ),
        ("home.page.png", "a page is written in JSON or YAML; let the name end in .page.json or .page.yaml"),
        (
            "user-[id].get.json",
            "'user-[id]' isn't a parameter; a parameter takes up a whole name, as in [id], or [...rest] for the rest"
        ),
        (
            "[].get.json",
            "'[]' isn't a parameter; a parameter takes up a whole name, as in [id], or [...rest] for the rest"
        ),
        ("[id]/[id].get.json", "two parameters are named id; give one another name"),
        ("a?b.get.json", "'a?b' can't be part of a path here: leave out ?"),
    ])
    func `A name that says nothing is explained`(file: String, message: String) {
        let error = #expect(throws: MessageError.self) { try RouteFileName(file) }
        #expect(error?.description == message)
    }
}
