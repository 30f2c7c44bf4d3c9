import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONPlacesTests {
    private static let text = Array(
        """
        {
          "a/b": [1, {"c~": "x\\"]"},
            true],
          "d": {
            "e": null
          }
        }
        """.utf8
    )

    @Test(arguments: [
        ("", 1), ("/a~1b", 2), ("/a~1b/1/c~0", 2), ("/a~1b/2", 3), ("/d/e", 5), ("/d/missing", 4), ("/a~1b/x", 2),
        ("/a~1b/-1", 2),
        ("/a~1b/99", 2), ("/zzz", 1),
    ])
    func `A part or its nearest parent has its line`(pointer: String, line: Int) {
        #expect(JSONPlaces(Self.text).line(of: pointer) == line)
    }

    @Test(arguments: [("a", "/a"), ("", "/"), ("a/b", "/a~1b"), ("~1", "/~01"), ("é~/", "/é~0~1")])
    func `A key becomes a step of a pointer and back`(key: String, step: String) {
        #expect(JSONPointer.step(key) == step)
        #expect(JSONPointer.steps(of: step) == [key])
    }
}
