import Backlot
import Testing

@testable import DynamicViews

/// Every form of padding, in the words of the table: top, leading, bottom, trailing.
@Suite(.timeLimit(.minutes(5))) struct PaddingTests {
    @Test(
        arguments: [
            ("[7]", [7, 7, 7, 7]),
            ("[30,16]", [16, 30, 16, 30]),
            ("[1,2,3,4]", [2, 1, 3, 4]),
            ("[0.5]", [0.5, 0.5, 0.5, 0.5]),
            ("[-4]", [-4, -4, -4, -4]),
            ("{}", [0, 0, 0, 0]),
            (#"{"bottom":4}"#, [0, 0, 4, 0]),
            (#"{"top":1,"leading":2,"bottom":3,"trailing":4}"#, [1, 2, 3, 4]),
            (#"{"top":1,"left":2,"bottom":3,"right":4}"#, [1, 2, 3, 4]),
            (#"{"leading":1,"left":2,"trailing":3,"right":4}"#, [0, 1, 0, 3]),
            (#"{"left":2,"leading":1,"right":4,"trailing":3}"#, [0, 1, 0, 3]),
            (#"{"top":null,"left":5}"#, [0, 5, 0, 0]),
        ] as [(String, [Double])]
    )
    func `A padding is read as clients read it`(json: String, sides: [Double]) throws {
        let document = try Document(JSONValue(parsing: Self.document(json)))
        for padding in [document.padding, document.widgets[0].padding] {
            let padding = try #require(padding)
            #expect([padding.top, padding.leading, padding.bottom, padding.trailing] == sides)
        }
        #expect(DynamicViewsRules.findings(in: try JSONValue(parsing: Self.document(json)), name: "d") == [])
        let again = try Document(JSONValue(parsing: document.bytes()))
        #expect(again.padding == document.padding)
        #expect(again.widgets[0].padding == document.padding)
    }

    @Test(arguments: [
        "[]", "[1,2,3]", "[1,2,3,4,5]", "16", #""16""#, #"["16"]"#, #"[1,"2"]"#, "[null]", "[[1]]", "true",
    ])
    func `What is no padding is refused, by the reader and by the rules`(json: String) throws {
        let value = try JSONValue(parsing: Self.document(json))
        #expect(throws: DocumentError.self) { try Document(value) }
        for dialect in [Dialect.ios, .android] {
            let findings = DynamicViewsRules.findings(in: value, name: "d", dialect: dialect)
            #expect(findings.map(\.rule) == ["malformed-padding", "malformed-padding"])
            #expect(findings.allSatisfy { $0.severity == .error })
            #expect(findings[0].path.pointer.hasPrefix("/configuration/padding"))
            #expect(findings[1].path.pointer.hasPrefix("/widgets/0/padding"))
        }
    }

    @Test func `Sides that are no numbers are refused by name`() throws {
        let value = try JSONValue(parsing: Self.document(#"{"top":"4","right":true}"#))
        #expect(throws: DocumentError.self) { try Document(value) }
        let findings = DynamicViewsRules.findings(in: value, name: "d")
        #expect(
            findings.map(\.path.pointer) == [
                "/configuration/padding/top", "/configuration/padding/right", "/widgets/0/padding/top",
                "/widgets/0/padding/right",
            ]
        )
    }

    @Test(arguments: [
        ("{}", "malformed-padding"), (#"{"top":1}"#, "malformed-padding"), ("[0.5]", "malformed-padding"),
    ])
    func `Android takes arrays of whole numbers only`(json: String, rule: String) throws {
        let value = try JSONValue(parsing: Self.document(json))
        let findings = DynamicViewsRules.findings(in: value, name: "d", dialect: .android)
        #expect(findings.map(\.rule) == [rule, rule])
    }

    @Test func `Android needs a padding everywhere`() throws {
        let json = Reference.document(#"{"type":"text","id":"1","text":"x"}"#)
        let findings = DynamicViewsRules.findings(in: try JSONValue(parsing: json), name: "d", dialect: .android)
            .filter { $0.rule != "missing-key" }
        #expect(findings.map(\.rule) == ["malformed-padding", "malformed-padding"])
        #expect(findings.map(\.path.pointer) == ["/configuration", "/widgets/0"])
    }

    private static func document(_ padding: String) -> String {
        Reference.document(
            #"{"type":"text","id":"1","text":"x","padding":\#(padding)}"#,
            configuration: #"{"image":"","style":"list","padding":\#(padding)}"#
        )
    }
}
