import Backlot
import Testing

@testable import Xpedite

/// Each thing that is refused or warned of, and beside it what is fine.
@Suite(.timeLimit(.minutes(5))) struct RuleTests {
    struct Case: Sendable, CustomStringConvertible {
        /// The components of the page.
        var components = "[]"
        /// Further entries of the page.
        var entries = ""
        /// The rules that complain, in their order.
        let rules: [String]
        /// The way to the component, from the page on.
        var path: String?

        var description: String { "\(rules) \(components) \(entries)" }

        var findings: [Finding] {
            get throws {
                let json = #"{"rc":0,"components":\#(components)\#(entries.isEmpty ? "" : ",\(entries)")}"#
                let facts = XpediteFacts(methods: ["known"], images: ["kept"], navigations: ["menu"])
                return XpediteRules.findings(in: try JSONValue(parsing: json), name: "page", facts: facts)
            }
        }
    }

    private static func field(_ json: String, _ rules: [String], _ path: String? = nil) -> Case {
        Case(components: #"[{"type":"form","id":"f","components":[\#(json)]}]"#, rules: rules, path: path)
    }

    private static func one(_ json: String, _ rules: [String], _ path: String? = nil) -> Case {
        Case(components: "[\(json)]", rules: rules, path: path)
    }

    private static func page(_ json: String, _ rules: [String]) -> Case {
        Case(entries: json, rules: rules, path: "page")
    }

    static let refused: [Case] = [
        // Caching.
        page(#""disposition":"permanent""#, ["disposition-without-id"]),
        page(#""disposition":{"type":"expiry","seconds":5}"#, ["disposition-without-id"]),
        page(#""id":"p","disposition":{"type":"expiry","seconds":0}"#, ["seconds-not-positive"]),
        page(#""id":"p","disposition":{"type":"expiry","seconds":-1}"#, ["seconds-not-positive"]),
        page(#""id":"p","disposition":{"type":"expiry"}"#, ["seconds-not-positive"]),
        page(#""id":"p","disposition":"forever""#, ["malformed-disposition"]),
        page(#""id":"p","disposition":{"type":"expiry","seconds":1}"#, []),
        page(#""id":"p","disposition":"permanent""#, []),
        // Pictures.
        Case(
            entries: #""images":[{"id":"i","url":"http://a.b/c"}]"#,
            rules: ["image-not-https"],
            path: #"page › preload "i""#
        ),
        one(#"{"type":"image","url":"http://a.b/c"}"#, ["image-not-https"], "page › image"),
        one(#"{"type":"image","url":"https://a.b/c"}"#, []),
        one(#"{"type":"image","id":"nowhere"}"#, ["unknown-image"], #"page › image "nowhere""#),
        one(#"{"type":"image","id":"kept"}"#, []),
        one(#"{"type":"image","id":"own","url":"https://a.b/c"}"#, []),
        Case(
            components: #"[{"type":"image","id":"i"}]"#,
            entries: #""images":[{"id":"i","url":"https://a.b/c"}]"#,
            rules: []
        ),
        // Colours.
        one(##"{"type":"label","text":"x","color":"#FFF"}"##, ["malformed-color"], #"page › label "x""#),
        one(#"{"type":"label","text":"x","color":"red"}"#, ["malformed-color"]),
        one(##"{"type":"label","text":"x","colour":"#GGGGGG"}"##, ["malformed-color"]),
        one(##"{"type":"label","text":"x","background":"#FFFFFFF"}"##, ["malformed-color"]),
        one(##"{"type":"label","text":"x","color":"#0aF9bC"}"##, []),
        page(#""background":"white""#, ["malformed-color"]),
        page(##""setDefaults":{"background":"#12345"}"##, ["malformed-color"]),
        // Ids.
        one(
            #"{"type":"label","text":"a","id":"x"},{"type":"label","text":"b","id":"x"}"#,
            ["duplicate-id"],
            #"page › label "x" #2"#
        ),
        one(#"{"type":"image","id":"kept"},{"type":"image","id":"kept"}"#, []),
        one(
            #"{"type":"scrollview","components":[{"type":"label","text":"a","id":"x"}]},{"type":"label","text":"b","id":"x"}"#,
            ["duplicate-id"]
        ),
        one(#"{"type":"textbox","name":"a","onEnter":"nowhere"}"#, ["unknown-on-enter"], #"page › textbox "a""#),
        one(#"{"type":"textbox","name":"a","onEnter":"b"},{"type":"password","name":"b","id":"b"}"#, []),
        // Forms.
        one(#"{"type":"form","save":{"function":"known"},"components":[]}"#, ["save-without-id"], "page › form"),
        one(#"{"type":"form","components":[]}"#, []),
        field(
            #"{"type":"textbox","name":"a"},{"type":"date","name":"a"}"#,
            ["duplicate-name"],
            #"page › form "f" › date "a""#
        ),
        field(#"{"type":"checkbox"}"#, ["missing-name"], #"page › form "f" › checkbox"#),
        field(#"{"type":"section","title":"a"},{"type":"section","title":"a"}"#, []),
        field(#"{"type":"select","name":"a","value":"z","options":{"x":"X"}}"#, ["unknown-option"]),
        field(#"{"type":"radio","name":"a","value":1,"options":{"1":"X"}}"#, ["unknown-option"]),
        field(#"{"type":"select","name":"a","value":"x","options":{"x":"X"}}"#, []),
        field(#"{"type":"date","name":"a","value":"15.6.1990"}"#, ["malformed-date"]),
        field(#"{"type":"date","name":"a","value":"1990-02-30"}"#, ["malformed-date"]),
        field(#"{"type":"date","name":"a","value":"1990-6-15"}"#, ["malformed-date"]),
        field(#"{"type":"date","name":"a","value":"2000-02-29"}"#, []),
        field(#"{"type":"checkbox","name":"a","value":true}"#, ["malformed-checkbox"]),
        field(#"{"type":"checkbox","name":"a","value":"yes"}"#, ["malformed-checkbox"]),
        field(#"{"type":"checkbox","name":"a","value":"0"}"#, []),
        // Others.
        one(#"{"type":"web","web":"https://a.b","content":"x"}"#, ["web-source"], "page › web"),
        one(#"{"type":"web"}"#, ["web-source"]),
        one(#"{"type":"web","content":"x"}"#, []),
        one(#"{"type":"textbox","name":"a","autotext":true}"#, ["unknown-autotext"]),
        one(#"{"type":"textbox","name":"a","autotext":"disable"}"#, []),
        one(#"{"type":"textbox","name":"a","keyboard":"letters"}"#, ["unknown-keyboard"]),
        one(#"{"type":"textbox","name":"a","returnkey":"enter"}"#, ["unknown-returnkey"]),
        one(#"{"type":"label","text":"x","align":"middle"}"#, ["unknown-align"]),
        one(#"{"type":"label","text":"x","align":"justify"},{"type":"label","text":"x","align":"center"}"#, []),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","align":"justify"}]}"#,
            ["unknown-align"],
            #"page › table › cell "a""#
        ),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"header":[{"text":"a","scroll":"on"},{"text":"b","scroll":"off"}]}"#,
            ["headers-disagree"]
        ),
        one(#"{"type":"label","text":"x","size":{"width":1,"width%":2}}"#, ["contradicting-size"]),
        one(#"{"type":"label","text":"x","size":{"height":1,"relative-height%":2}}"#, ["contradicting-size"]),
        one(#"{"type":"label","text":"x","size":{"x":1,"centre-x":0}}"#, ["contradicting-size"]),
        one(#"{"type":"label","text":"x","size":{"y+":1,"y%":0}}"#, ["contradicting-size"]),
        one(#"{"type":"label","text":"x","size":{"width":1,"height%":2,"x":1,"y+":0}}"#, []),
        // Navigation.
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"effects":{"shade%":101}}"#,
            ["shade-out-of-range"]
        ),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"effects":{"shade%":-1}}"#,
            ["shade-out-of-range"]
        ),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"effects":{"shade%":100}}"#,
            []
        ),
        Case(
            components:
                #"[{"type":"navigation","implementation":{"style":"button","position":"left"},"effects":{"shade%":5}}]"#,
            entries: #""title":"t""#,
            rules: ["shade-on-button"]
        ),
        one(#"{"type":"navigation","id":"menu"}"#, []),
        one(#"{"type":"navigation","id":"other"}"#, ["unknown-navigation"]),
        // Methods.
        one(
            #"{"type":"button","text":"x","method":{"function":"nope"}}"#,
            ["unregistered-method"],
            #"page › button "x""#
        ),
        one(#"{"type":"button","text":"x","method":{"function":"known"}}"#, []),
        one(#"{"type":"button","text":"x","method":{}}"#, ["missing-key"]),
        one(
            #"{"type":"form","id":"f","save":{"function":"nope"},"cancel":{"function":"no"},"components":[]}"#,
            ["unregistered-method", "unregistered-method"]
        ),
        one(#"{"type":"table","data":{"dynamic":"nope"}}"#, ["unregistered-method"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"clickRow":{"function":"nope"}}"#, ["unregistered-method"]),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"components":[{"type":"menuEntry","text":"a","method":{"function":"nope"}}]}"#,
            ["unregistered-method"],
            #"page › navigation › menuEntry "a""#
        ),
        // Required keys.
        one(#"{"type":"label"}"#, ["missing-key"], "page › label"), one(#"{"type":"image"}"#, ["missing-key"]),
        one(#"{"type":"button"}"#, ["button-without-text"]), one(#"{"type":"button","icon":"plus"}"#, []),
        one(#"{"type":"textbox"}"#, ["missing-name"]), one(#"{"type":"password"}"#, ["missing-name"]),
        one(#"{"type":"scrollview"}"#, ["scrollview-without-components"]), one(#"{"type":"table"}"#, ["missing-key"]),
        one(#"{"type":"navigation"}"#, ["missing-key"]),
        one(#"{"type":"navigation","implementation":{"style":"drawer","position":"left"}}"#, ["unknown-value"]),
        one(#"{"type":"navigation","implementation":{"style":"slidefrom","position":"top"}}"#, ["unknown-value"]),
        field(#"{"type":"section"}"#, ["missing-key"]), field(#"{"type":"select","name":"a"}"#, ["missing-key"]),
        one(#"{"type":"lable","text":"x"}"#, ["unknown-type"], #"page › lable "x""#),
        field(#"{"type":"slider","name":"x"}"#, ["unknown-type"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"cell":[{}]}"#, ["missing-key"]),
        Case(entries: #""images":[{}]"#, rules: ["missing-key", "missing-key"]),
    ]

    static let warned: [Case] = [
        field(#"{"type":"select","name":"a","options":{"10":"X","2":"Y"}}"#, ["option-keys-of-unequal-length"]),
        field(#"{"type":"radio","name":"a","options":{"10":"X","02":"Y"}}"#, []),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","width%":60},{"field":"b","width%":41}]}"#,
            ["widths-over-100"],
            "page › table"
        ),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","width%":60},{"field":"b","width%":40}]}"#,
            []
        ),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a"}],"header":[{"text":"a"},{"text":"b"}]}"#,
            ["column-counts-differ"]
        ),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"header":[{"text":"a","scroll":"off"},{"text":"b"}]}"#,
            ["scroll-left-out"]
        ),
        one(
            #"{"type":"textbox","name":"a","focus":true},{"type":"textbox","name":"b","focus":true}"#,
            ["two-focus-fields"]
        ),
        one(#"{"type":"textbox","name":"a","focus":true},{"type":"textbox","name":"b","focus":false}"#, []),
        one(#"{"type":"navigation","implementation":{"style":"button","position":"left"}}"#, ["button-without-title"]),
        one(#"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"}}"#, []),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"components":[{"type":"menuEntry","symbol":"plus"}]}"#,
            ["misplaced-symbol"],
            "page › navigation › menuEntry"
        ),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"components":[{"type":"menuEntry","icon":"logo"}]}"#,
            []
        ),
        Case(
            components:
                #"[{"type":"navigation","implementation":{"style":"button","position":"left"},"components":[{"type":"menuEntry","icon":"logo"},{"type":"menuEntry","symbol":"plus"}]}]"#,
            entries: #""title":"t""#,
            rules: ["misplaced-icon"]
        ),
    ]

    /// Findings that come from the vocabulary, which declares the keys and their values.
    static let structural: [Case] = [
        // Keys that clients don't read.
        page(#""titel":"t""#, ["unknown-key"]),
        one(#"{"type":"label","text":"x","size":{"widht":80}}"#, ["unknown-key"], #"page › label "x""#),
        one(##"{"type":"label","text":"x","textColour":"#112233"}"##, ["unknown-key"]),
        one(#"{"type":"label","text":"x","placeholder":"y"}"#, ["unknown-key"]),
        one(#"{"type":"button","text":"x","method":{"function":"known","params":{}}}"#, ["unknown-key"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","width":60}]}"#, ["unknown-key"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","scroll":"on"}]}"#, ["unknown-key"]),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"effects":{"shade":5}}"#,
            ["unknown-key"]
        ),
        field(#"{"type":"date","name":"a","placeholder":"b"}"#, ["unknown-key"]),
        Case(entries: #""images":[{"id":"i","url":"https://a.b/c","priority":"critical"}]"#, rules: ["unknown-key"]),
        // Values of other types.
        page(#""title":5"#, ["wrong-type"]),
        page(#""version":"1""#, ["wrong-type"]),
        page(#""time":"now""#, ["wrong-type"]),
        page(#""images":{}"#, ["wrong-type"]),
        page(#""setDefaults":{"fontsize":"16px"}"#, ["wrong-type"]),
        one(#"{"type":"label","text":5}"#, ["wrong-type"]),
        one(#"{"type":"label","text":"x","fontsize":"16px"}"#, ["wrong-type"]),
        one(#"{"type":"label","text":"x","color":255}"#, ["wrong-type"]),
        one(#"{"type":"label","text":"x","size":80}"#, ["wrong-type"]),
        one(#"{"type":"label","text":"x","size":{"width":"80"}}"#, ["wrong-type"]),
        one(#"{"type":"button","text":"x","style":5}"#, ["wrong-type"]),
        one(#"{"type":"button","text":"x","method":"known"}"#, ["wrong-type"]),
        one(#"{"type":"button","text":"x","method":{"function":"known","parameters":[]}}"#, ["wrong-type"]),
        one(#"{"type":"button","text":"x","method":{"function":"known","formdata":"true"}}"#, ["wrong-type"]),
        one(#"{"type":"scrollview","components":{}}"#, ["wrong-type"]),
        one(#"{"type":"table","data":"known"}"#, ["wrong-type"]),
        one(#"{"type":"textbox","name":"a","focus":"true"}"#, ["wrong-type"]),
        field(#"{"type":"select","name":"a","options":{"1":1}}"#, ["wrong-type"]),
        field(#"{"type":"radio","name":"a","options":["A"]}"#, ["wrong-type"]),
        field(#"{"type":"textview","name":"a","value":5}"#, ["malformed-text"]),
        // Names that clients don't know.
        one(#"{"type":"button","text":"x","style":"round"}"#, ["unknown-value"]),
        one(#"{"type":"form","style":"popup","components":[]}"#, ["unknown-value"]),
        one(
            #"{"type":"table","data":{"dynamic":"known"},"header":[{"text":"a","scroll":"no"}]}"#,
            ["unknown-value"],
            #"page › table › header "a""#
        ),
        one(#"{"type":"button","text":"x","method":{"function":"known","navigation":"rout"}}"#, ["unknown-value"]),
        Case(entries: #""images":[{"id":"i","url":"https://a.b/c","load":"soon"}]"#, rules: ["unknown-value"]),
        // Numbers out of bounds.
        one(#"{"type":"label","text":"x","fontsize":0}"#, ["number-out-of-range"]),
        one(#"{"type":"label","text":"x","fontsize":16.5}"#, ["number-out-of-range"]),
        one(#"{"type":"label","text":"x","size":{"width%":-1}}"#, ["number-out-of-range"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"cell":[{"field":"a","lines":-2}]}"#, ["number-out-of-range"]),
        // Wrong values in place of an object.
        one("null", ["null-in-array"]), one("5", ["wrong-type"]), one(#""label""#, ["wrong-type"]),
        one("{}", ["missing-type"]), one(#"{"type":5}"#, ["wrong-type"]),
        field("null", ["null-in-array"], #"page › form "f""#), field("[]", ["wrong-type"]),
        one(#"{"type":"table","data":{"dynamic":"known"},"cell":["name"]}"#, ["wrong-type"]),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"components":[{"text":"a"}]}"#,
            ["missing-type"]
        ),
        one(
            #"{"type":"navigation","implementation":{"style":"slidefrom","position":"left"},"components":[{"type":"label"}]}"#,
            ["unknown-type"]
        ),
        field(#"{"type":"label","text":"x"}"#, ["unknown-type"]),
        one(#"{"type":"date","name":"x"}"#, ["unknown-type"]),
        // Names that are empty.
        one(#"{"type":"label","text":"x","id":""}"#, ["empty-text"]),
        one(#"{"type":"button","text":"x","method":{"function":""}}"#, ["empty-text"]),
        one(#"{"type":"textbox","name":""}"#, ["missing-name"]),
        page(#""id":"""#, ["empty-text"]),
        page(#""id":"","disposition":"permanent""#, ["empty-text"]),
        // Rows of a table.
        Case(entries: #""data":[null]"#, rules: ["null-in-array"]),
        Case(entries: #""data":{}"#, rules: ["wrong-type"]),
        Case(entries: #""data":[5],"max":"2""#, rules: ["wrong-type", "wrong-type"]),
        Case(entries: #""data":[{"any":{"thing":[1]}}],"max":2"#, rules: []),
        // null counts as absent.
        one(#"{"type":"label","text":"x","color":null,"size":null,"id":null}"#, []),
    ]

    @Test(arguments: structural)
    func `Found by the vocabulary`(page: Case) throws {
        let findings = try page.findings
        #expect(findings.map(\.rule) == page.rules)
        if let path = page.path { #expect(findings.first?.path.description ?? path == path) }
    }

    @Test(arguments: [
        (#"{"type":"lable","text":"x"}"#, "Write \"label\", if that is what you mean."),
        (#"{"type":"label","text":"x","fontSize":9}"#, "Write \"fontsize\", if that is what you mean, or remove it."),
        (
            #"{"type":"label","text":"x","size":{"widht":9}}"#,
            "Write \"width\", if that is what you mean, or remove it."
        ),
        (#"{"type":"form","style":"dialogue","components":[]}"#, "Write \"dialog\", if that is what you mean."),
        (
            #"{"type":"button","text":"x","method":{"function":"know"}}"#,
            #"Register it with app.method("know") or app.table("know"), or write "known"."#
        ),
    ])
    func `A finding suggests what was meant`(component: String, fix: String) throws {
        #expect(try Self.one(component, []).findings.map(\.fix) == [fix])
    }

    @Test(arguments: refused)
    func `A page that clients refuse is an error`(page: Case) throws {
        let findings = try page.findings
        #expect(findings.map(\.rule) == page.rules)
        #expect(findings.allSatisfy { $0.severity == .error })
        if let path = page.path { #expect(findings.first?.path.description ?? path == path) }
    }

    @Test(arguments: warned)
    func `A page that clients accept with a fault is a warning`(page: Case) throws {
        let findings = try page.findings
        #expect(findings.map(\.rule) == page.rules)
        #expect(findings.allSatisfy { $0.severity == .warning })
        if let path = page.path { #expect(findings.first?.path.description ?? path == path) }
    }

    @Test func `A finding points to the very value`() throws {
        let json = #"""
            {"rc":0,"components":[{"type":"scrollview","components":[{"type":"label","text":"x"},
            {"type":"form","id":"f","components":[{"type":"date","name":"d","value":"x"}]}]}]}
            """#
        let finding = try #require(XpediteRules.findings(in: JSONValue(parsing: json), name: "p").first)
        #expect(finding.path.description == #"p › scrollview › form "f" › date "d""#)
        #expect(finding.path.pointer == "/components/0/components/1/components/0/value")
    }

    @Test(arguments: [
        ("not-json", "{"), ("not-an-object", "[]"), ("missing-key", #"{"components":[]}"#),
        ("missing-key", #"{"rc":0}"#),
        ("wrong-type", #"{"rc":"0","components":[]}"#),
    ])
    func `A body that isn't a packet is a finding`(rule: String, body: String) {
        let findings = XpediteInspector().findings(inBody: Array(body.utf8), path: "p", app: nil)
        #expect(findings.map(\.rule) == [rule])
    }

    @Test func `Rows of a table are no page`() {
        let body = Array(#"{"rc":0,"data":[{"type":"label"}]}"#.utf8)
        #expect(XpediteInspector().findings(inBody: body, path: "p", app: nil).isEmpty)
    }

    @Test func `Readings can be turned off`() throws {
        var readings = XpediteRuleReadings()
        readings.buttonNeedsTextOrIcon = false
        readings.scrollviewNeedsComponents = false
        readings.requiresOneSourcePerAxis = false
        readings.headersMustAgree = false
        readings.imageIDsMayRepeat = false
        let json = #"""
            {"rc":0,"components":[{"type":"button"},{"type":"scrollview"},
            {"type":"label","text":"x","size":{"width":1,"width%":2}},
            {"type":"table","data":{"dynamic":"x"},"header":[{"text":"a","scroll":"on"},{"text":"b","scroll":"off"}]},
            {"type":"image","id":"i"},{"type":"image","id":"i"}]}
            """#
        let value = try JSONValue(parsing: json)
        #expect(XpediteRules.findings(in: value, name: "p", readings: readings).map(\.rule) == ["duplicate-id"])
        #expect(
            XpediteRules.findings(in: value, name: "p").map(\.rule)
                == ["button-without-text", "scrollview-without-components", "contradicting-size", "headers-disagree"]
        )
    }
}
