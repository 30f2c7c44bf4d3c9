import Backlot
import Testing

@testable import DynamicViews

/// The errors of reading, with the pointers where it ends.
@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
    @Test(arguments: [
        ("[]", "the document is not an object"),
        ("{}", "/configuration is missing"),
        (#"{"configuration":{}}"#, "/widgets is missing"),
        (#"{"configuration":[],"widgets":[]}"#, "/configuration is not an object"),
        (#"{"configuration":{"image":1},"widgets":[]}"#, "/configuration/image is not a string"),
        (#"{"configuration":{"style":5},"widgets":[]}"#, "/configuration/style is not a string"),
        (#"{"configuration":{},"widgets":{}}"#, "/widgets is not an array"),
        (#"{"configuration":{},"widgets":[1]}"#, "/widgets/0 is not an object"),
        (Reference.document("{}"), "/widgets/0/type is missing"),
        (Reference.document(#"{"type":"x","id":"1"}"#), "/widgets/0/type is a type that clients don't know: 'x'"),
        (Reference.document(#"{"type":"snabble.version","id":1}"#), "/widgets/0/id is not a string"),
        (Reference.document(#"{"type":"snabble.version"}"#), "/widgets/0/id is missing"),
        (
            Reference.document(#"{"type":"information","id":"1","text":"x"}"#), "/widgets/0/hideable is missing"
        ),
        (
            Reference.document(#"{"type":"section","id":"1","header":"x","items":[{"type":"image","id":"a"}]}"#),
            "/widgets/0/items/0/image is missing"
        ),
        (
            Reference.document(#"{"type":"text","id":"1","text":"x","showDisclosure":"yes"}"#),
            "/widgets/0/showDisclosure is neither true nor false"
        ),
        (
            Reference.document(#"{"type":"snabble.version","id":"1","padding":[1,2,3]}"#),
            "/widgets/0/padding has 3 numbers instead of 1, 2 or 4"
        ),
    ])
    func `A document that clients can't read`(json: String, problem: String) throws {
        let value = try JSONValue(parsing: json)
        let error = #expect(throws: DocumentError.self) { try Document(value) }
        #expect(error?.description == problem)
        #expect(DynamicViewsRules.findings(in: value, name: "d").contains { $0.severity == .error })
    }

    @Test func `Unknown keys and an unknown style are no hindrance`() throws {
        let widget = #"{"type":"snabble.version","id":"1","z":[]}"#
        let json = #"{"x":1,"configuration":{"style":"grid","y":2},"widgets":[\#(widget)]}"#
        let document = try Document(JSONValue(parsing: json))
        #expect(document.configuration.style == nil)
        #expect(
            String(decoding: document.bytes(), as: UTF8.self)
                == #"{"configuration":{},"widgets":[{"type":"snabble.version","id":"1"}]}"#
        )
    }
}
