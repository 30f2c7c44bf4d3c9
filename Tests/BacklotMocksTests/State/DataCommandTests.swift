import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct DataCommandTests {
    private func make() throws -> AdminApp {
        let app = AdminApp()
        var reading = MockReader(isForeign: false)
        let cart = LocatedValue(["rows": [["good": "tea"]], "schema": ["required": ["good"]], "limits": ["rows": 2]])
        let news = LocatedValue(["scope": "shared", "value": ["title": "old"]])
        app.backend.data.setBuckets(
            [
                try DataBucket(cart, name: "cart", source: .file("data/cart.yaml", line: 1), &reading),
                try DataBucket(news, name: "news", source: .file("data/news.yaml", line: 1), &reading),
            ],
            ofFile: "data"
        )
        return app
    }

    @Test func `Data is listed, looked at, set and reset, for each session`() async throws {
        let app = try make()
        try await app.call(.put, "/__admin/data/cart?session=ada", [["good": "jam"], ["good": "bread"]])
        let list = try await app.call(.get, "/__admin/data").json
        #expect(
            list["data"] == [
                ["name": "cart", "scope": "client", "isList": true, "file": "data/cart.yaml:1"],
                ["name": "news", "scope": "shared", "isList": false, "file": "data/news.yaml:1"],
            ]
        )
        #expect(list["clients"] == 1)
        #expect(try await app.call(.get, "/__admin/data/cart").json == [["id": 1, "good": "tea"]])
        let own: JSONValue = [["id": 2, "good": "jam"], ["id": 3, "good": "bread"]]
        #expect(try await app.call(.get, "/__admin/data/cart?session=ada").json == own)
        #expect(try await app.call(.post, "/__admin/reset?session=ada").status == 200)
        #expect(try await app.call(.get, "/__admin/data/cart?session=ada").json == [["id": 1, "good": "tea"]])
        // For all clients, whatever they have changed.
        try await app.call(.put, "/__admin/data/cart?session=ada", [])
        try await app.call(.put, "/__admin/data/cart", [["id": 7, "good": "rice"]])
        #expect(try await app.call(.get, "/__admin/data/cart?session=ada").json == [["id": 7, "good": "rice"]])
        try await app.call(.put, "/__admin/data/news?session=ada", ["title": "new"])
        #expect(try await app.call(.get, "/__admin/data/news").json == ["title": "new"])
        #expect(try await app.call(.delete, "/__admin/data/cart").status == 200)
        #expect(try await app.call(.get, "/__admin/data/cart").json == [["id": 1, "good": "tea"]])
        #expect(try await app.call(.post, "/__admin/reset").status == 200)
        #expect(try await app.call(.get, "/__admin/data/news").json == ["title": "old"])
        try await app.call(.put, "/__admin/data/news", ["title": "new"])
        #expect(try await app.call(.post, "/__admin/data/reset").status == 200)
        #expect(app.backend.data.bytes == 0 && app.backend.data.clients == 0)
    }

    @Test(arguments: [
        ("cart", "{}", 422, "the data 'cart' is a list of objects"),
        ("cart", "[1]", 422, "the data 'cart' is a list of objects"),
        ("cart", #"[{"a":1}]"#, 422, #"a row of 'cart' doesn't fit its schema: the value lacks "good""#),
        ("cart", #"[{"good":1},{"good":2},{"good":3}]"#, 507, "the data 'cart' may have at most 2 rows; remove some"),
        ("cart", #"[{"id":1,"good":1},{"id":1,"good":2}]"#, 409, "there is a row with the id 1 already"),
        ("crt", "[]", 404, "there is no data 'crt'; did you mean 'cart'?"),
        ("cart", "[", 422, "line 1, column 2"),
    ])
    func `What can't be set is refused`(_ name: String, _ body: String, _ status: Int, _ text: String) async throws {
        let response = try await make().call(.put, "/__admin/data/\(name)", bytes: Array(body.utf8))
        #expect(response.status == status)
        #expect(response.json["errors"]?[0]?["detail"]?.string?.contains(text) == true, "\(response.json)")
    }

    @Test func `Many rows with keys of their own are set`() async throws {
        let app = AdminApp()
        var reading = MockReader(isForeign: false)
        let list = LocatedValue(["rows": [], "limits": ["rows": 30_000, "bytes": 16_777_216]])
        let bucket = try DataBucket(list, name: "list", source: .file("data/list.yaml", line: 1), &reading)
        app.backend.data.setBuckets([bucket], ofFile: "data")
        let rows = JSONValue.array((1...30_000).map { ["id": JSONValue($0)] })
        #expect(try await app.call(.put, "/__admin/data/list", rows).status == 200)
        #expect(try await app.call(.get, "/__admin/data/list").json == rows)
    }

    @Test func `A client's own commands are about its own state, below the mocks' path too`() async throws {
        let app = AdminApp(path: "/mock/")
        var reading = MockReader(isForeign: false)
        let cart = try DataBucket(
            LocatedValue(["value": ["a": 0]]),
            name: "cart",
            source: .file("data/cart.yaml", line: 1),
            &reading
        )
        app.backend.data.setBuckets([cart], ofFile: "data")
        let ada: HTTPFields = [.cookie: "session=ada"]
        for (root, value) in [("/__admin", 1), ("/mock/__admin", 2)] as [(String, JSONValue)] {
            try await app.call(.put, "\(root)/data/cart?client=own", ["a": value], headers: ada)
            #expect(try await app.call(.get, "\(root)/data/cart?client=own", headers: ada).json == ["a": value])
            #expect(try await app.call(.get, "\(root)/data/cart?session=ada").json == ["a": value])
            #expect(try await app.call(.get, "\(root)/data/cart").json == ["a": 0])
            #expect(try await app.call(.get, "\(root)/data?client=own", headers: ada).json["isOfAll"] == false)
        }
        // Nothing tells who this is: it is about all.
        #expect(try await app.call(.get, "/__admin/data?client=own").json["isOfAll"] == true)
        try await app.call(.put, "/__admin/data/cart?client=own", ["a": 3])
        #expect(try await app.call(.get, "/__admin/data/cart?session=eve").json == ["a": 3])
        #expect(try await app.call(.get, "/mock/__administration").status == 404)
    }
}
