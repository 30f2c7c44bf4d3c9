import A2UI
import Backlot
import Testing

@Suite(.timeLimit(.minutes(1))) struct DataModelTests {
    @Test(arguments: [
        ("/", ""), ("", "/tree/leaf"), (".", "/tree"), ("leaf", "/tree"), ("/other//leaf/", "/tree"), ("a~1b", "/x~0y"),
    ])
    func `A path without a slash begins at its scope`(text: String, scope: String) {
        let expected = [
            "/": "/", "": "/tree/leaf", ".": "/tree", "leaf": "/tree/leaf", "/other//leaf/": "/other/leaf",
            "a~1b": "/x~0y/a~1b",
        ]
        #expect(DataPath(text, in: DataPath(scope)).description == expected[text])
    }

    /// A model, a path, a value (nil deletes), and the model after the write; nil for an error.
    static let writes: [(JSONValue, String, JSONValue?, JSONValue?)] = [
        ([:], "/a/b", 1, ["a": ["b": 1]]),
        ([:], "/a/1/b", "x", ["a": [nil, ["b": "x"]]]),
        (["a": [1, 2]], "/a/4", 5, ["a": [1, 2, nil, nil, 5]]),
        (["a": [1, 2]], "/a/0", nil, ["a": [nil, 2]]),
        (["a": [1, 2]], "/a/7", nil, ["a": [1, 2]]),
        (["a": ["b": 1, "c": 2]], "/a/b", nil, ["a": ["c": 2]]),
        (["a": 1], "/b/c", nil, ["a": 1]),
        (["a": 1], "/", nil, [:]),
        (["a": 1], "", ["b": 2], ["b": 2]),
        (["a": nil], "/a/b", 1, ["a": ["b": 1]]),
        (["a/b": 1], "/a~1b", 2, ["a/b": 2]),
        (["a": [1]], "/a/name", 1, nil),
        (["a": [1]], "/a/-", 1, nil),
        (["a": [1]], "/a/01", 1, nil),
        (["a": "text"], "/a/b", 1, nil),
        (["a": [1]], "/a/10001", 1, nil),
    ]

    @Test(arguments: writes)
    func `A write makes what it needs, and refuses what it can't`(
        before: JSONValue,
        path: String,
        value: JSONValue?,
        after: JSONValue?
    ) {
        var model = DataModel(before)
        do throws(A2UIError) {
            try model.set(value, at: DataPath(path))
            #expect(model.value == after)
        } catch {
            #expect(after == nil)
            #expect(error.category == .data)
            #expect(model.value == before, "an error changes nothing")
        }
    }

    @Test func `A value outside of the model is none`() {
        let model = DataModel(["list": [1], "object": ["": 2]])
        for path in ["/list/1", "/list/-1", "/list/00", "/list/x", "/none/x", "/list/0/x"] {
            #expect(model[DataPath(path)] == nil, "\(path)")
        }
        #expect(model[DataPath("list/0")] == 1)
    }

    @Test func `Changes reach what contains them and what they contain`() {
        let written = DataPath("/a/b")
        #expect(["/", "/a", "/a/b", "/a/b/c"].allSatisfy { written.touches(DataPath($0)) })
        #expect(!["/b", "/a/c", "/a/bb"].contains { written.touches(DataPath($0)) })
    }

    @Test func `A path has a largest length`() {
        var model = DataModel()
        let path = DataPath(String(repeating: "/a", count: DataPath.segmentLimit + 1))
        #expect(throws: A2UIError.self) { try model.set(1, at: path) }
    }
}
