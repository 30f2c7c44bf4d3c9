import Backlot
import Testing

@testable import DynamicViews

/// The texts and pictures that an app has, and those that documents name.
@Suite(.timeLimit(.minutes(5))) struct CatalogueTests {
    private static let json = Reference.document(
        """
        {"type":"section","id":"s","header":"header","items":[
          {"type":"text","id":"1","text":"text"},{"type":"button","id":"2","text":"button"},
          {"type":"toggle","id":"3","text":"toggle","key":"k"},
          {"type":"information","id":"4","text":"information","hideable":true,"image":"picture"},
          {"type":"navigation","id":"5","text":"navigation","resource":"r"},
          {"type":"multiValue","id":"6","text":"choice","values":[{"id":"a","text":"option"}]},
          {"type":"image","id":"7","image":"picture"},{"type":"snabble.customerCard","id":"8","text":"card"},
          {"type":"snabble.version","id":"9","text":"none","image":"none"}]}
        """,
        configuration: #"{"style":"list","image":"background"}"#
    )

    @Test func `Every name is found, with its places`() throws {
        let names = DocumentNames(in: try JSONValue(parsing: Self.json))
        #expect(
            names.texts.keys.sorted() == [
                "button", "card", "choice", "header", "information", "navigation", "option", "text", "toggle",
            ]
        )
        #expect(names.texts["option"] == ["/widgets/0/items/5/values/0/text"])
        #expect(names.texts["header"] == ["/widgets/0/header"])
        #expect(
            names.images == [
                "background": ["/configuration/image"],
                "picture": ["/widgets/0/items/3/image", "/widgets/0/items/6/image"],
            ]
        )
        #expect(DocumentNames(in: []).texts == [:])
        let android = Reference.document(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"a","values":[{"id":"e","text":"b"}],"padding":[0]},"#
                + #"{"type":"snabble.devSettings","id":"2","text":"c","padding":[0]}"#,
            configuration: #"{"image":"","style":"list","padding":[0]}"#
        )
        let others = DocumentNames(in: try JSONValue(parsing: android))
        #expect(others.texts.keys.sorted() == ["a", "b", "c"])
        #expect(others.images == [:])
    }

    @Test func `Names that the app doesn't have are warned of`() throws {
        let document = try JSONValue(parsing: Self.json)
        let names = DocumentNames(in: document)
        var catalogue = Catalogue(texts: Set(names.texts.keys), images: Set(names.images.keys))
        #expect(unlisted(in: document, catalogue) == [])
        catalogue.texts?.remove("option")
        catalogue.images?.remove("picture")
        #expect(
            unlisted(in: document, catalogue) == [
                "warning unlisted-image /widgets/0/items/3/image",
                "warning unlisted-text /widgets/0/items/5/values/0/text",
                "warning unlisted-image /widgets/0/items/6/image",
            ]
        )
        #expect(unlisted(in: document, Catalogue()) == [])
    }

    private func unlisted(in document: JSONValue, _ catalogue: Catalogue) -> [String] {
        DynamicViewsRules.findings(in: document, name: "d", catalogue: catalogue)
            .filter { $0.rule.hasPrefix("unlisted") }
            .map { "\($0.severity) \($0.rule) \($0.path.pointer)" }
    }

    @Test(arguments: [
        (#"["a","b.c"]"#, ["a", "b.c"]),
        (#"{"a":"A","b.c":{}}"#, ["a", "b.c"]),
        (#"{"sourceLanguage":"en","strings":{"a":{},"b":{}},"version":"1.0"}"#, ["a", "b"]),
        ("\"a\" = \"A\";\n/* note */\n// b\n\"b.\\\"c\\\"\"=\"x = y\";\n", ["a", "b.\"c\""]),
        ("Dashboard/image\n\n  Dashboard/teaser \r\n# none\n", ["Dashboard/image", "Dashboard/teaser"]),
        (
            "/* Title */ \"a\" = \"A\";\n/*\n\"b\" = \"B\";\n*/ \"c/*d\" = \"*/\"; /**/\n\"e\" = \"\";",
            ["a", "c/*d", "e"]
        ),
        ("a /*/ b */\nit\"s\n/* c", ["a", "it\"s"]), ("\u{FEFF}[\"a\"]", ["a"]), ("\u{FEFF}a\n", ["a"]),
        ("// Assets/*.png\na\n  # Images/*.png\n\"b\" = \"# //\";\nc#d", ["a", "b", "c#d"]),
        ("", []), ("[]", []),
    ])
    func `A list of names is read in each form`(text: String, names: [String]) throws {
        #expect(try NameList(parsing: Array(text.utf8)).names == Set(names))
    }

    @Test(arguments: [
        ("[\"a\",]", "it is not JSON: line 1, column 5"), ("[1]", "its array holds something other than strings"),
    ])
    func `What is no list is refused`(text: String, reason: String) {
        let mistake = #expect(throws: NameList.ParsingError.self) { try NameList(parsing: Array(text.utf8)) }
        #expect(mistake?.description.hasPrefix(reason) == true)
        #expect(throws: NameList.ParsingError.notUTF8) { try NameList(parsing: [0xFF]) }
    }
}
