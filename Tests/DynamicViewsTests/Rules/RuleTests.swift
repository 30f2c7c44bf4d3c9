import Backlot
import Testing

@testable import DynamicViews

/// Each thing that is refused or warned of, with its place, and beside it what is fine.
@Suite(.timeLimit(.minutes(5))) struct RuleTests {
    struct Case: Sendable, CustomStringConvertible {
        let json: String
        /// The rules that complain, each with its place, in their order.
        let findings: [String]
        var dialect = Dialect.ios

        var description: String { "\(findings) \(json)" }
    }

    private static func widgets(_ widgets: String, _ findings: String...) -> Case {
        Case(json: Reference.document(widgets), findings: findings)
    }

    private static func list(_ widgets: String, _ findings: String...) -> Case {
        Case(json: Reference.document(widgets, configuration: #"{"style":"list"}"#), findings: findings)
    }

    private static func android(_ widgets: String, _ findings: String...) -> Case {
        let json = Reference.document(widgets, configuration: androidConfiguration)
        return Case(json: json, findings: findings, dialect: .android)
    }

    private static let androidConfiguration = #"{"image":"","style":"list","padding":[0]}"#

    private static func android(configuration: String, _ findings: String...) -> Case {
        Case(json: Reference.document("", configuration: configuration), findings: findings, dialect: .android)
    }

    static let refused: [Case] = [
        Case(json: "[]", findings: ["not-an-object "]),
        Case(json: "{}", findings: ["missing-key ", "missing-key "]),
        Case(json: #"{"configuration":{}}"#, findings: ["missing-key "]),
        Case(json: #"{"widgets":[]}"#, findings: ["missing-key "]),
        Case(json: #"{"configuration":null,"widgets":[]}"#, findings: ["missing-key "]),
        Case(json: #"{"configuration":{},"widgets":[]}"#, findings: []),
        Case(
            json: #"{"configuration":1,"widgets":2}"#,
            findings: ["wrong-type /configuration", "wrong-type /widgets"]
        ),
        Case(json: #"{"configuration":{"image":1},"widgets":[]}"#, findings: ["wrong-type /configuration/image"]),
        widgets("1", "wrong-type /widgets/0"),
        // Types.
        widgets(#"{"type":"txt","id":"1"}"#, "unknown-type /widgets/0/type"),
        widgets(#"{"type":"purchases","id":"1"}"#, "unknown-type /widgets/0/type"),
        widgets(
            #"{"type":"connectWifi","id":"1"},{"type":"locationPermission","id":"2"}"#,
            "unknown-type /widgets/0/type",
            "unknown-type /widgets/1/type"
        ),
        widgets(#"{"id":"1"}"#, "missing-type /widgets/0"),
        widgets(#"{"type":7,"id":"1"}"#, "wrong-type /widgets/0/type"),
        widgets(#"{"type":"snabble.version","id":"1"},{"type":"snabble.version","id":"2"}"#),
        list(
            #"{"type":"section","id":"1","header":"h","items":[{"type":"nothing","id":"1"}]}"#,
            "unknown-type /widgets/0/items/0/type"
        ),
        // Ids.
        widgets(#"{"type":"snabble.version","id":1}"#, "wrong-type /widgets/0/id"),
        widgets(#"{"type":"snabble.version"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"snabble.version","id":null}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"snabble.version","id":true}"#, "wrong-type /widgets/0/id"),
        widgets(
            #"{"type":"snabble.version","id":"1"},{"type":"snabble.allStores","id":"1"}"#,
            "duplicate-id /widgets/1/id"
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"snabble.version","id":"s"}]},{"type":"snabble.version","id":"v"}"#
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"snabble.version","id":"a"}]},{"type":"snabble.version","id":"a"}"#
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"snabble.version","id":"a"},{"type":"snabble.version","id":"a"}]}"#,
            "duplicate-id /widgets/0/items/1/id"
        ),
        // The required keys of each type.
        widgets(#"{"type":"text","id":"1"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"text","id":"1","text":5}"#, "wrong-type /widgets/0/text"),
        widgets(#"{"type":"text","id":"1","text":"x","textColor":1}"#, "wrong-type /widgets/0/textColor"),
        widgets(#"{"type":"image","id":"1"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"button","id":"1"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"information","id":"1","text":"x"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"information","id":"1","hideable":true}"#, "missing-key /widgets/0"),
        widgets(
            #"{"type":"information","id":"1","text":"x","hideable":"yes"}"#,
            "wrong-type /widgets/0/hideable"
        ),
        widgets(#"{"type":"toggle","id":"1","text":"x"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"toggle","id":"1","key":"x"}"#, "missing-key /widgets/0"),
        list(#"{"type":"section","id":"1","header":"h"}"#, "missing-key /widgets/0"),
        list(#"{"type":"section","id":"1","items":[]}"#, "missing-key /widgets/0"),
        list(#"{"type":"section","id":"1","header":"h","items":{}}"#, "wrong-type /widgets/0/items"),
        list(#"{"type":"section","id":"1","header":"h","items":[[]]}"#, "wrong-type /widgets/0/items/0"),
        widgets(#"{"type":"navigation","id":"1","text":"x"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"navigation","id":"1","resource":"x"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"multiValue","id":"1","text":"x"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"multiValue","id":"1","values":[]}"#, "missing-key /widgets/0"),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a"},{"text":"b"}]}"#,
            "missing-key /widgets/0/values/0",
            "missing-key /widgets/0/values/1"
        ),
        widgets(#"{"type":"developerMode","id":"1"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"snabble.customerCard","id":"1","projectId":5}"#, "wrong-type /widgets/0/projectId"),
        widgets(#"{"type":"snabble.lastPurchases","id":"1","projectId":"p"},{"type":"snabble.customerCard","id":"2"}"#),
        widgets(#"{"type":"snabble.lastPurchases","id":"1"}"#, "missing-key /widgets/0"),
        widgets(#"{"type":"snabble.lastPurchases","id":"1","projectId":null}"#, "missing-key /widgets/0"),
        android(#"{"type":"snabble.lastPurchases","id":"1","padding":[0]}"#),
        android(
            #"{"type":"snabble.lastPurchases","id":"1","projectId":1,"padding":[0]}"#,
            "wrong-type /widgets/0/projectId"
        ),
        // Types of every key, and bounds.
        Case(
            json: Reference.document("", configuration: #"{"style":5}"#),
            findings: ["wrong-type /configuration/style"]
        ),
        widgets("null", "null-in-array /widgets/0"),
        widgets("[],\"text\"", "wrong-type /widgets/0", "wrong-type /widgets/1"),
        widgets(#"{"type":null,"id":"1"}"#, "missing-type /widgets/0"),
        widgets(#"{"type":"text","id":"1","text":"x","textStyle":[]}"#, "wrong-type /widgets/0/textStyle"),
        widgets(#"{"type":"text","id":"1","text":"x","showDisclosure":1}"#, "wrong-type /widgets/0/showDisclosure"),
        widgets(#"{"type":"image","id":"1","image":false}"#, "wrong-type /widgets/0/image"),
        widgets(#"{"type":"button","id":"1","text":"x","backgroundColor":0}"#, "wrong-type /widgets/0/backgroundColor"),
        widgets(#"{"type":"toggle","id":"1","text":"x","key":1}"#, "wrong-type /widgets/0/key"),
        widgets(#"{"type":"navigation","id":"1","text":"x","resource":{}}"#, "wrong-type /widgets/0/resource"),
        list(#"{"type":"section","id":"1","header":1,"items":[]}"#, "wrong-type /widgets/0/header"),
        list(
            #"{"type":"section","id":"1","header":"h","items":[null,7]}"#,
            "null-in-array /widgets/0/items/0",
            "wrong-type /widgets/0/items/1"
        ),
        widgets(#"{"type":"developerMode","id":"1","items":"x"}"#, "wrong-type /widgets/0/items"),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":["a",null]}"#,
            "wrong-type /widgets/0/values/0",
            "null-in-array /widgets/0/values/1"
        ),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":1,"text":true}]}"#,
            "wrong-type /widgets/0/values/0/id",
            "wrong-type /widgets/0/values/0/text"
        ),
        widgets(
            #"{"type":"information","id":"1","text":"x","hideable":true,"image":2}"#,
            "wrong-type /widgets/0/image"
        ),
        widgets(#"{"type":"snabble.lastPurchases","id":"1","projectId":[]}"#, "wrong-type /widgets/0/projectId"),
        android(
            #"{"type":"snabble.customerCard","id":"1","text":"x","image":5,"padding":[0]}"#,
            "wrong-type /widgets/0/image"
        ),
        android(
            #"{"type":"snabble.version","id":"1","padding":[3000000000]}"#,
            "malformed-padding /widgets/0/padding/0"
        ),
        // Options and keys.
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a","text":"A"},{"id":"a","text":"B"}]}"#,
            "duplicate-option /widgets/0/values/1/id"
        ),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a.b","text":"A"},{"id":"c.b","text":"B"}]}"#,
            "duplicate-option /widgets/0/values/1/id"
        ),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a.b","text":"A"},{"id":"a.c","text":"B"}]}"#
        ),
        widgets(
            #"{"type":"toggle","id":"1","text":"x","key":"k"},{"type":"toggle","id":"2","text":"x","key":"k"}"#,
            "shared-storage-key /widgets/1/key"
        ),
        widgets(
            #"{"type":"toggle","id":"1","text":"x","key":"m"},{"type":"multiValue","id":"m","text":"x","values":[]}"#,
            "shared-storage-key /widgets/1/id"
        ),
        list(
            #"{"type":"multiValue","id":"m","text":"x","values":[]},"#
                + #"{"type":"section","id":"s","header":"h","items":[{"type":"multiValue","id":"m","text":"x","values":[]}]}"#,
            "shared-storage-key /widgets/1/items/0/id"
        ),
        widgets(
            #"{"type":"toggle","id":"1","text":"x","key":"a"},{"type":"toggle","id":"2","text":"x","key":"b"}"#
        ),
        // Android.
        android(
            #"{"type":"multiValue","id":"1","text":"x","values":[],"padding":[0]}"#,
            "widget-of-other-dialect /widgets/0"
        ),
        android(#"{"type":"developerMode","id":"1","items":[],"padding":[0]}"#, "widget-of-other-dialect /widgets/0"),
        android(#"{"type":"snabble.customerCard","id":"1","padding":[0]}"#, "missing-key /widgets/0"),
        android(#"{"type":"snabble.customerCard","id":"1","text":"x","padding":[0]}"#),
        android(#"{"type":"information","id":"1","text":"x","padding":[0]}"#),
        android(#"{"type":"snabble.version","id":"1"}"#, "malformed-padding /widgets/0"),
        android(#"{"type":"snabble.version","id":"1","padding":null}"#, "malformed-padding /widgets/0"),
        android(#"{"type":"snabble.version","id":"1","padding":{"top":1}}"#, "malformed-padding /widgets/0/padding"),
        android(#"{"type":"snabble.version","id":"1","padding":[0.5]}"#, "malformed-padding /widgets/0/padding/0"),
        android(#"{"type":"snabble.version","id":"1","padding":[0]}"#),
        android(#"{"type":"version","id":"1","padding":[0]}"#, "widget-of-other-dialect /widgets/0"),
        android(
            #"{"type":"navigation","id":"1","text":"x","resource":"y","padding":[0]}"#,
            "widget-of-other-dialect /widgets/0"
        ),
        android(
            #"{"type":"snabble.customerCard","id":"1","text":"x","image":"i","projectId":"p","padding":[0]}"#
        ),
        android(
            configuration: "{}",
            "missing-key /configuration",
            "missing-key /configuration",
            "malformed-padding /configuration"
        ),
        android(configuration: #"{"style":"list","padding":[0]}"#, "missing-key /configuration"),
        android(configuration: #"{"image":"i","padding":[0]}"#, "missing-key /configuration"),
        android(configuration: #"{"image":null,"style":"list","padding":[0]}"#, "missing-key /configuration"),
        android(configuration: #"{"image":5,"style":"list","padding":[0]}"#, "wrong-type /configuration/image"),
        android(configuration: #"{"image":"i","style":5,"padding":[0]}"#, "wrong-type /configuration/style"),
        android(configuration: #"{"image":"i","style":"scroll","padding":[1,2]}"#),
        // Types that only Android clients know.
        android(
            #"{"type":"snabble.devSettings","id":"1","text":"x","padding":[0]},"#
                + #"{"type":"snabble.clientId","id":"2","padding":[0]},"#
                + #"{"type":"snabble.appUserId","id":"3","padding":[0]},"#
                + #"{"type":"snabble.switchEnvironment","id":"4","text":"x","values":[{"id":"a.b","text":"A"},"#
                + #"{"id":"c.b","text":"B"}],"padding":[0]}"#
        ),
        android(#"{"type":"snabble.devSettings","id":"1","padding":[0]}"#, "missing-key /widgets/0"),
        android(#"{"type":"snabble.devSettings","id":"1","text":5,"padding":[0]}"#, "wrong-type /widgets/0/text"),
        android(#"{"type":"snabble.appUserId","id":"1"}"#, "malformed-padding /widgets/0"),
        // Snabble's own documents for Android have an empty style, sections in a scroll, and one id several times in a list.
        android(configuration: #"{"image":"","style":"","padding":[0]}"#),
        android(
            #"{"type":"text","id":"1","text":"x","padding":[0]},{"type":"text","id":"1","text":"y","padding":[0]}"#
        ),
        Case(
            json: Reference.document(
                #"{"type":"section","id":"1","header":"h","items":[],"padding":[0]}"#,
                configuration: #"{"image":"","style":"scroll","padding":[0]}"#
            ),
            findings: [],
            dialect: .android
        ),
        Case(
            json: Reference.document(
                #"{"type":"text","id":"1","text":"x","padding":[0]},{"type":"text","id":"1","text":"y","padding":[0]}"#,
                configuration: #"{"image":"","style":"scroll","padding":[0]}"#
            ),
            findings: ["duplicate-id /widgets/1/id"],
            dialect: .android
        ),
        list(
            #"{"type":"text","id":"1","text":"x"},{"type":"text","id":"1","text":"y"}"#,
            "duplicate-id /widgets/1/id"
        ),
        android(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"x","values":{},"padding":[0]}"#,
            "wrong-type /widgets/0/values"
        ),
        android(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"x","values":[{"id":"a"}],"padding":[0]}"#,
            "missing-key /widgets/0/values/0"
        ),
        android(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"x","values":[{"id":"a","text":"A"},"#
                + #"{"id":"a","text":"B"}],"padding":[0]}"#,
            "duplicate-option /widgets/0/values/1/id"
        ),
        android(#"{"type":"snabble.devSetings","id":"1","text":"x","padding":[0]}"#, "unknown-type /widgets/0/type"),
        widgets(#"{"type":"snabble.devSettings","id":"1","text":"x"}"#, "widget-of-other-dialect /widgets/0"),
        widgets(#"{"type":"snabble.clientId","id":"1"}"#, "widget-of-other-dialect /widgets/0"),
        widgets(#"{"type":"snabble.appUserId","id":"1"}"#, "widget-of-other-dialect /widgets/0"),
        widgets(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"x","values":[]}"#,
            "widget-of-other-dialect /widgets/0"
        ),
    ]

    static let warned: [Case] = [
        widgets(
            #"{"type":"button","id":"1","text":"x","forgroundColor":"label"}"#,
            "unknown-key /widgets/0/forgroundColor"
        ),
        widgets(
            #"{"type":"information","id":"1","text":"x","hideable":true,"imageSource":"i"}"#,
            "unknown-key /widgets/0/imageSource"
        ),
        widgets(#"{"type":"version","id":"1"}"#, "documented-type /widgets/0/type"),
        Case(
            json: Reference.document("", configuration: #"{"style":""}"#),
            findings: ["unknown-value /configuration/style"]
        ),
        android(#"{"type":"snabble.clientId","id":"1","text":"x","padding":[0]}"#, "unknown-key /widgets/0/text"),
        widgets(#"{"type":"snabble.version","id":"1","spacing":4}"#, "unknown-key /widgets/0/spacing"),
        Case(
            json: Reference.document("", configuration: #"{"spacing":4}"#),
            findings: ["unknown-key /configuration/spacing"]
        ),
        widgets(#"{"type":"button","id":"1","text":"x","key":"k"}"#, "unknown-key /widgets/0/key"),
        widgets(#"{"type":"section","id":"1","header":"h","items":[]}"#, "section-in-scroll /widgets/0"),
        Case(
            json: Reference.document(
                #"{"type":"section","id":"1","header":"h","items":[]}"#,
                configuration: #"{"style":"scroll"}"#
            ),
            findings: ["section-in-scroll /widgets/0"]
        ),
        list(
            #"{"type":"section","id":"1","header":"h","items":[],"padding":[4]}"#,
            "ignored-padding /widgets/0/padding"
        ),
        Case(
            json: Reference.document("", configuration: #"{"style":"grid"}"#),
            findings: ["unknown-value /configuration/style"]
        ),
        // Keys that nobody reads.
        Case(json: #"{"configuration":{},"widgets":[],"version":1}"#, findings: ["unknown-key /version"]),
        Case(
            json: Reference.document("", configuration: #"{"sytle":"list"}"#),
            findings: ["unknown-key /configuration/sytle"]
        ),
        widgets(#"{"type":"text","id":"1","text":"x","textColour":"label"}"#, "unknown-key /widgets/0/textColour"),
        widgets(#"{"type":"image","id":"1","image":"i","width":80}"#, "unknown-key /widgets/0/width"),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a","text":"A","texts":"B"}]}"#,
            "unknown-key /widgets/0/values/0/texts"
        ),
        widgets(#"{"type":"snabble.version","id":"1","padding":{"botom":4}}"#, "unknown-key /widgets/0/padding/botom"),
        widgets(#"{"type":"snabble.version","id":"1","a/b~":1}"#, "unknown-key /widgets/0/a~1b~0"),
        widgets(#"{"type":"snabble.allStores","id":"1","items":[{"type":"x"}]}"#, "unknown-key /widgets/0/items"),
        widgets(
            #"{"type":"snabble.customerCard","id":"1","text":5,"image":"i"}"#,
            "key-of-other-dialect /widgets/0/text",
            "key-of-other-dialect /widgets/0/image"
        ),
        android(
            #"{"type":"information","id":"1","text":"x","hideable":"yes","padding":[0]}"#,
            "key-of-other-dialect /widgets/0/hideable"
        ),
        android(
            #"{"type":"snabble.switchEnvironment","id":"1","text":"x","padding":[0]}"#,
            "missing-recommended-key /widgets/0"
        ),
        android(configuration: #"{"image":"","style":"grid","padding":[0]}"#, "unknown-value /configuration/style"),
        widgets(#"{"type":"snabble.version","id":""}"#, "empty-id /widgets/0/id"),
        widgets(
            #"{"type":"developerMode","id":"1","items":[],"padding":[4]}"#,
            "ignored-padding /widgets/0/padding"
        ),
    ]

    @Test(arguments: refused)
    func `What clients refuse is an error`(test: Case) throws {
        let findings = DynamicViewsRules.findings(
            in: try JSONValue(parsing: test.json),
            name: "d",
            dialect: test.dialect
        )
        #expect(findings.map { "\($0.rule) \($0.path.pointer)" } == test.findings)
        #expect(findings.allSatisfy { $0.severity == .error })
    }

    @Test(arguments: warned)
    func `What clients ignore is a warning`(test: Case) throws {
        let value = try JSONValue(parsing: test.json)
        let findings = DynamicViewsRules.findings(in: value, name: "d", dialect: test.dialect)
        #expect(findings.map { "\($0.rule) \($0.path.pointer)" } == test.findings)
        #expect(findings.allSatisfy { $0.severity == .warning })
        #expect(throws: Never.self) { try Document(value, dialect: test.dialect) }
    }

    @Test(arguments: [
        (#"{"type":"text","id":"1","text":"x","textColour":"label"}"#, "textColor"),
        (#"{"type":"snabble.version","id":"1","padding":{"botom":4}}"#, "bottom"),
        (#"{"type":"snabble.version","id":"1","spacing":4}"#, "padding"),
        (#"{"type":"button","id":"1","text":"x","forgroundColor":"label"}"#, "foregroundColor"),
        (#"{"type":"button","id":"1","text":"x","foregroundcolor":"label"}"#, "foregroundColor"),
    ])
    func `The key that was meant is suggested`(widget: String, meant: String) throws {
        let value = try JSONValue(parsing: Reference.document(widget))
        let findings = DynamicViewsRules.findings(in: value, name: "d")
        #expect(findings.first?.fix.contains("\"\(meant)\"") == true, "\(findings)")
    }

    @Test func `A finding says where, what and what to do`() throws {
        let json = Reference.document(#"{"type":"snabble.lastPurchase","id":"1"}"#)
        let findings = DynamicViewsRules.findings(in: try JSONValue(parsing: json), name: "/dashboard.json")
        #expect(
            findings.map(\.details) == [
                """
                error: /dashboard.json › snabble.lastPurchase "1"
                  There is no widget "snabble.lastPurchase", so clients refuse the whole document.
                  Fix: Write "snabble.lastPurchases", if that is what you mean.
                  [unknown-type] at /widgets/0/type
                """
            ]
        )
    }

    @Test(arguments: [
        ("purchases", "snabble.lastPurchases"), ("Text", "text"), ("locationPermission", "snabble.locationPermission"),
        ("startShopping", "snabble.startShopping"), ("toggel", "toggle"), ("multivalue", "multiValue"),
    ])
    func `The type that was meant is suggested`(type: String, meant: String) throws {
        let json = Reference.document(#"{"type":"\#(type)","id":"1"}"#)
        let findings = DynamicViewsRules.findings(in: try JSONValue(parsing: json), name: "d")
        #expect(findings.first?.fix.contains("\"\(meant)\"") == true)
    }

    @Test func `The inspector says where a body is no JSON`() {
        let findings = DynamicViewsInspector().findings(inBody: Array("{\n,}".utf8), path: "/d.json", app: nil)
        #expect(findings.map(\.rule) == ["not-json"])
        #expect(findings.first?.message.contains("line 2, column 1") == true)
        let right = Array(#"{"configuration":{},"widgets":[]}"#.utf8)
        #expect(DynamicViewsInspector().findings(inBody: right, path: "/d.json", app: nil) == [])
        #expect(
            DynamicViewsInspector(dialect: .android).findings(inBody: right, path: "/d.json", app: nil).map(\.rule)
                == ["missing-key", "missing-key", "malformed-padding"]
        )
    }
}
