import Backlot
import BacklotJSON
import Testing

@testable import DynamicViews

/// Each thing that is refused or warned of, with its place, and beside it what is fine.
struct RuleTests {
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
        let json = Reference.document(widgets, configuration: #"{"padding":[0]}"#)
        return Case(json: json, findings: findings, dialect: .android)
    }

    static let refused: [Case] = [
        Case(json: "[]", findings: ["no-object "]),
        Case(json: "{}", findings: ["missing-key /configuration", "missing-key /widgets"]),
        Case(json: #"{"configuration":{}}"#, findings: ["missing-key /widgets"]),
        Case(json: #"{"widgets":[]}"#, findings: ["missing-key /configuration"]),
        Case(json: #"{"configuration":null,"widgets":[]}"#, findings: ["missing-key /configuration"]),
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
        widgets(#"{"id":"1"}"#, "unknown-type /widgets/0/type"),
        widgets(#"{"type":7,"id":"1"}"#, "unknown-type /widgets/0/type"),
        widgets(#"{"type":"version","id":"1"},{"type":"snabble.version","id":"2"}"#),
        list(
            #"{"type":"section","id":"1","header":"h","items":[{"type":"nothing","id":"1"}]}"#,
            "unknown-type /widgets/0/items/0/type"
        ),
        // Ids.
        widgets(#"{"type":"version","id":1}"#, "numeric-id /widgets/0/id"),
        widgets(#"{"type":"version"}"#, "missing-key /widgets/0/id"),
        widgets(#"{"type":"version","id":null}"#, "missing-key /widgets/0/id"),
        widgets(#"{"type":"version","id":true}"#, "wrong-type /widgets/0/id"),
        widgets(
            #"{"type":"version","id":"1"},{"type":"snabble.allStores","id":"1"}"#,
            "duplicate-id /widgets/1/id"
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"version","id":"s"}]},{"type":"version","id":"v"}"#
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"version","id":"a"}]},{"type":"version","id":"a"}"#
        ),
        list(
            #"{"type":"section","id":"s","header":"h","items":[{"type":"version","id":"a"},{"type":"version","id":"a"}]}"#,
            "duplicate-id /widgets/0/items/1/id"
        ),
        // What each needs.
        widgets(#"{"type":"text","id":"1"}"#, "missing-key /widgets/0/text"),
        widgets(#"{"type":"text","id":"1","text":5}"#, "wrong-type /widgets/0/text"),
        widgets(#"{"type":"text","id":"1","text":"x","textColor":1}"#, "wrong-type /widgets/0/textColor"),
        widgets(#"{"type":"image","id":"1"}"#, "missing-key /widgets/0/image"),
        widgets(#"{"type":"button","id":"1"}"#, "missing-key /widgets/0/text"),
        widgets(#"{"type":"information","id":"1","text":"x"}"#, "missing-key /widgets/0/hideable"),
        widgets(#"{"type":"information","id":"1","hideable":true}"#, "missing-key /widgets/0/text"),
        widgets(
            #"{"type":"information","id":"1","text":"x","hideable":"yes"}"#,
            "wrong-type /widgets/0/hideable"
        ),
        widgets(#"{"type":"toggle","id":"1","text":"x"}"#, "missing-key /widgets/0/key"),
        widgets(#"{"type":"toggle","id":"1","key":"x"}"#, "missing-key /widgets/0/text"),
        list(#"{"type":"section","id":"1","header":"h"}"#, "missing-key /widgets/0/items"),
        list(#"{"type":"section","id":"1","items":[]}"#, "missing-key /widgets/0/header"),
        list(#"{"type":"section","id":"1","header":"h","items":{}}"#, "wrong-type /widgets/0/items"),
        list(#"{"type":"section","id":"1","header":"h","items":[[]]}"#, "wrong-type /widgets/0/items/0"),
        widgets(#"{"type":"navigation","id":"1","text":"x"}"#, "missing-key /widgets/0/resource"),
        widgets(#"{"type":"navigation","id":"1","resource":"x"}"#, "missing-key /widgets/0/text"),
        widgets(#"{"type":"multiValue","id":"1","text":"x"}"#, "missing-key /widgets/0/values"),
        widgets(#"{"type":"multiValue","id":"1","values":[]}"#, "missing-key /widgets/0/text"),
        widgets(
            #"{"type":"multiValue","id":"1","text":"x","values":[{"id":"a"},{"text":"b"}]}"#,
            "missing-key /widgets/0/values/0/text",
            "missing-key /widgets/0/values/1/id"
        ),
        widgets(#"{"type":"developerMode","id":"1"}"#, "missing-key /widgets/0/items"),
        widgets(#"{"type":"snabble.customerCard","id":"1","projectId":5}"#, "wrong-type /widgets/0/projectId"),
        widgets(#"{"type":"snabble.lastPurchases","id":"1"},{"type":"snabble.customerCard","id":"2"}"#),
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
            "not-on-android /widgets/0/type"
        ),
        android(#"{"type":"developerMode","id":"1","items":[],"padding":[0]}"#, "not-on-android /widgets/0/type"),
        android(#"{"type":"snabble.customerCard","id":"1","padding":[0]}"#, "missing-key /widgets/0/text"),
        android(#"{"type":"snabble.customerCard","id":"1","text":"x","padding":[0]}"#),
        android(#"{"type":"information","id":"1","text":"x","padding":[0]}"#),
        android(#"{"type":"version","id":"1"}"#, "missing-padding /widgets/0/padding"),
        android(#"{"type":"version","id":"1","padding":null}"#, "missing-padding /widgets/0/padding"),
    ]

    static let warned: [Case] = [
        widgets(
            #"{"type":"button","id":"1","text":"x","forgroundColor":"label"}"#,
            "ignored-key /widgets/0/forgroundColor"
        ),
        widgets(
            #"{"type":"information","id":"1","text":"x","hideable":true,"imageSource":"i"}"#,
            "ignored-key /widgets/0/imageSource"
        ),
        widgets(#"{"type":"version","id":"1","spacing":4}"#, "ignored-key /widgets/0/spacing"),
        Case(
            json: Reference.document("", configuration: #"{"spacing":4}"#),
            findings: ["ignored-key /configuration/spacing"]
        ),
        widgets(#"{"type":"button","id":"1","text":"x","key":"k"}"#, "ignored-key /widgets/0/key"),
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
            "padding-on-section /widgets/0/padding"
        ),
        Case(
            json: Reference.document("", configuration: #"{"style":"grid"}"#),
            findings: ["unknown-style /configuration/style"]
        ),
        Case(
            json: Reference.document("", configuration: #"{"style":5}"#),
            findings: ["unknown-style /configuration/style"]
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
        #expect(throws: Never.self) { try Document(value) }
    }

    @Test func `A finding says where, what and what to do`() throws {
        let json = Reference.document(#"{"type":"snabble.lastPurchase","id":"1"}"#)
        let findings = DynamicViewsRules.findings(in: try JSONValue(parsing: json), name: "/dashboard.json")
        #expect(
            findings.map(\.details) == [
                """
                error: /dashboard.json › snabble.lastPurchase "1"
                  Clients don't know "snabble.lastPurchase", and refuse the whole document for it.
                  Fix: Perhaps "snabble.lastPurchases" is meant.
                  [unknown-type] at /widgets/0/type
                """
            ]
        )
    }

    @Test(arguments: [
        ("purchases", "snabble.lastPurchases"), ("Text", "text"), ("locationPermission", "snabble.locationPermission"),
        ("startShopping", "snabble.startShopping"), ("toggel", "toggle"), ("multivalue", "multiValue"),
    ])
    func `What was perhaps meant`(type: String, meant: String) throws {
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
                == ["missing-padding"]
        )
    }
}
